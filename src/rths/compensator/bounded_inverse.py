"""Inverse of bounded gain that learns from the target and the motion: the recommended compensator.

    u = sum_i w_i q^i L d(t + ℓ),   i = 0...n,   q, L a high- and a low-pass as in `_bank`      (1)
    F u = sum_i w_i φ_i + ε,   φ_i = q^i F L x_m,   z_i = q^i F L d,   ψ_i = κ q^i H d        (2)
    (S + Q + P + ν R Λ) (v - w_0) = Σ z (F u - φ'w_0) - Q (w_0 - e_0) - P w_0,
            S = Σ z φ',   Q = Σ ψ ψ',   P = ρ S_11 Π                                          (3)
    |L(jω) sum_i v_i q^i(jω)| <= γ   at all ω,   0 <= v_1/v_0 <= (DELAY_RATIO τ + τ_L)/T       (4)
    w = w_0 + β (v - w_0),   β = t/(1 + t),   t = (r/c²)² + s/ϰ²,
            r = S_11 σ_1²/(μ R̄),   s = Q_11 σ_1²/(μ R̄)                                        (5)

The same taps that make the command from the target are fitted from the measured motion to the
command. What keeps it safe is in (3) and (4), not in limits of single coefficients:

* the instruments z come from the target, which knows nothing of the sensor's noise: noise makes the
  estimate uncertain, but does not pull it to one side;
* w_0 and Λ are the mean and the spread of all actuators with the told delay, and R is the mean
  square of ε itself. A direction that is not excited keeps w_0, and as the motion fades, v returns
  to it. Nothing in this has a unit: a motion of micrometres is learnt like one of metres;
* r is what the test knows about the delay in units of what was known before, with σ_1 the spread of
  w_1 and μ the samples within which noise behind F tells the same. v is uncertain by σ_1/√r: (5)
  believes it from r = c² on, so that noise alone moves w by 0.57 σ_1/c at most, and by (r/c²)² of
  what v moves where it knows little. An earthquake has r of 1e3 to 1e10: the guess is left as the
  square of it. s, what rings, is believed sooner, and not as steeply. R̄ is R over the memory of
  the sums: R itself, ten times as fast, would shake the gain in noise;
* H passes what the structure's motion has no business with. Noise or a loop that begins to ring
  there makes Q large, and (3) takes the gain at that very frequency back to one (w = e_0);
* L takes gain and lead away beyond the band: a lead there feeds the light modes of actuators;
* gain has a price: Π is the sum of |L q^i/γ|² over ω, and ρ rises while the fit has more gain than
  γ, and falls while it has less. The fit then gives up what is steep; it keeps its static gain and
  its delay, which a return to w_0 as a whole would cost;
* where (4) would still be passed, v goes from w_0 only as far as γ allows, and as a delay of none
  to one and a half times the told one.

All sums of (3) forget alike, so that v does not move when the motion ends; noise alone brings it
back to w_0, and in silence it stays.

The time constant of q and the edges of F, H and L follow from the delay and the modes of the
calculated structure. Written beside the command: the static gain and the delay that w makes up for,
``learnt``, the β with which the test is believed and not the guess, and ``held``, which part of the
change (4) kept back.

Use it wherever the displacement is measured; it needs the delay only, to about a fifth.

[soderstrom2002] Circuits Syst. Signal Process. 21(1), 1-9 (instruments); [hoerl1970] Technometrics
12(1), 55-67 (the guess in least squares); taps, guard and settings our own.
"""

from __future__ import annotations

from math import exp, inf, pi
from typing import Literal

import numpy as np

from rths.compensator._bank import Bank, guess_weights, spread_taps
from rths.compensator._bounded_fit import (
    allowed_share,
    gather,
    highest_gain,
    plausible_share,
    solve,
    state_equations,
)
from rths.compensator._content import highest_content
from rths.compensator._derivatives import lead_of
from rths.compensator._filter_edges import ROLLED, filter_numbers, learning_edge
from rths.compensator._regression import low_pass
from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Delay, Duration, Positive, Seconds
from rths.site import Site

LAGS, HIGH, CLEAR = 3, 3, 2
"""Lags in F and high-passes in H, at its edge and at that of the content: a decade beyond their
edges is a thousandth."""
SHARPEST, WIDEST = 0.2, 0.02
"""T of q: at least this part of the delay, and this part of 1/ω of the fastest content. A shorter T
fits better and has more gain: with 0.15 the mean error of development rigs rises by a tenth; and
where the content is slow, more of the noise is learnt."""
BAND, REACH = 1.0, 10.0
"""Band of the first guess: to ω τ = 1, or to ten times the fastest content, so that T times the
band is 0.2 either way. Beyond its band the guess is of no use: what the target has there is small,
but its error counts as noise, and keeps the guess."""
GUARD = 3.0
"""κ: command beyond H weighs three times as much as an error of the fit. With 1 masses behind a
joint are lost, with 5 specimens that yield cost accuracy."""
EVIDENCE, RINGING = 53.0, 8.0
"""c and ϰ of (5). Noise moves the delay by 0.43 of the spread of plausible actuators at most. With
three quarters of c one command of 26 ran 2.2 times as fast in the noise after an earthquake as
before it; if s were squared like r, what rings a little would turn the lead on and off."""
DELAY_RATIO = 1.5
"""Longest delay that is made up for over the told one, which is right to a fifth."""
START = 15.0
"""Largest gain of the first guess: that of a cubic extrapolation."""
WIDER = 40.0
"""Spread of the truth over that of the plausible actuators: they are twelve out of many. And R, by
which the guess is weighed, counts the end of the series as noise, which no time averages away."""
POINTS = 12
"""Frequencies at which (4) is looked at; |C| is smooth, and its highest place is wide."""
FIRST_FREQUENCY = 0.3
"""Lowest frequency of (4) over 1/T: 1.5 times the band of the first guess. Within the band C is the
inverse of an actuator that hardly changes amplitudes, and has no large gain."""
AIM = 0.9
"""Part of γ² that ρ leaves the gain: what moves about it then stays within (4)."""
HASTE, CHEAPEST, DEAREST = 0.5, 1e-12, 1e6
"""Rate of ρ over 1/τ where the gain is far from γ, and the bounds of ρ: with the least it has no
part in the fit, with the largest nothing else has."""
FASTER = 0.1
"""Memory of R over that of S and Q: a new noise is seen soon."""
STILL, NOTHING = 1e-60, 1e-150
"""Size of z_1 below which all is at rest, m, and of a state that then is zero: processors are slow
with numbers below 1e-308, and sums that forget would end there and stay."""
COUNTED = 18.0
"""States that are brought up to date in a twentieth of a microsecond."""
P = fields(
    size="m = n + 1, how many weights there are",
    fresh="whether x_m is that of the same tick",
    lead="ℓ, s",
    keep="p of q",
    difference_gain="g of q",
    lag="c of F",
    roll="c of L",
    keep_high="p of H",
    difference_gain_high="g of H",
    keep_clear="p of H at the edge of the content",
    difference_gain_clear="g of H at the edge of the content",
    forgetting="λ of S and Q",
    newest="share of the newest ε² in R",
    correlation="ν, samples of a delay",
    evidence="σ_1²/(c² μ)",
    ringing="σ_1²/(ϰ² μ)",
    longest="largest v_1/v_0",
    slope="T of q at low frequency, s",
    lost="lag of L, s",
    guess=many("w_0"),
    precision=many("Λ, by rows"),
    steepness=many("Π, by rows"),
    bound=many("real and imaginary parts of L q^i/γ, by rows"),
)
X = fields(
    command="last command, m",
    target="last target, m",
    residual="R, m²",
    surprise="error of the guess, m",
    held="part of the change that (4) kept back",
    price="ρ",
    lasting="R̄, m²",
    weights=many("w"),
    fit=many("v"),
    taps=many("q^i L d"),
    rolled=many("L of the target: last input, output"),
    rolled_measured=many("L of x_m"),
    rolled_target=many("L of the target of x_m"),
    of_command=many("lags of F u: last input, outputs"),
    of_measured=many("lags of F L x_m"),
    of_target=many("lags of F L d"),
    clear=many("high-passes of H d at the edge of the content: last input, outputs"),
    high=many("further high-passes of H d"),
    phi=many("φ"),
    z=many("z"),
    psi=many("ψ"),
    products=many("right side of (3) without Q"),
    squares=many("S, by rows"),
    ringing=many("Q, by rows"),
    room=many("(3) by rows, right side last"),
)


def take_given(p: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Take w_0, Λ, Π and the bound of (4) out of the parameters."""
    m, first = int(p[P.size]), P.guess
    second = first + m
    third = second + m * m
    last = third + m * m
    return p[first:second], p[second:third], p[third:last], p[last:]


def learn(
    x: Vector, v: Vector, A: Vector, guess: Vector, bound: Vector, longest: float, ticks: float
) -> None:
    """Take v from what (3) left in A, as far as (4) allows, and ρ on; ticks of a delay."""
    m = v.size
    highest = highest_gain(A, guess, bound)
    price = x[X.price] * (1.0 + HASTE * min(highest / AIM - 1.0, 1.0) / ticks)
    x[X.price] = min(max(price, CHEAPEST), DEAREST)
    share = plausible_share(A, guess, longest)
    if highest > 1.0:
        share = min(share, allowed_share(A, guess, bound))
    x[X.held] = 1.0 - share
    for i in range(m):
        v[i] = guess[i] + share * A[i * (m + 1) + m]


def belief_of(known: float, rung: float, noise: float) -> float:
    """Give β of (5) from r R̄/c², s R̄/ϰ² and R̄; squared are their shares, which have no unit."""
    whole = known + rung + noise
    if not whole > 0.0:
        return 0.0
    known, rung, noise = known / whole, rung / whole, noise / whole
    told = known * known + rung * noise
    return told / (told + noise * noise) if told > 0.0 else 0.0


def believe(w: Vector, v: Vector, guess: Vector, share: float) -> None:
    """Take w from the guess to v by a share."""
    for i in range(w.size):
        w[i] = guess[i] + share * (v[i] - guess[i])


def observe(r: Vector, f: Vector, y: Vector, p: Vector, value: float) -> None:
    """Pass a signal through L, F and the taps."""
    low_pass(r, p[P.roll], value)
    low_pass(f, p[P.lag], r[1])
    spread_taps(y, p[P.keep], p[P.difference_gain], f[LAGS])


def error_of(w: Vector, phi: Vector, wanted: float) -> float:
    """Give ε of (2)."""
    for i in range(w.size):
        wanted -= w[i] * phi[i]
    return wanted


def settle(x: Vector) -> None:
    """Take what is nothing for zero."""
    for i in range(x.size):
        if abs(x[i]) < NOTHING:
            x[i] = 0.0


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, velocity at its time, measured displacement;   y = command, then the ports
    m, at = int(p[P.size]), X.weights
    guess, Lambda, Pi, bound = take_given(p)
    w, at = x[at : at + m], at + m
    v, at = x[at : at + m], at + m
    taps, at = x[at : at + m], at + m
    rolled, at = x[at : at + 2], at + 2
    rolled_x, at = x[at : at + 2], at + 2
    rolled_d, at = x[at : at + 2], at + 2
    of_u, at = x[at : at + LAGS + 1], at + LAGS + 1
    of_x, at = x[at : at + LAGS + 1], at + LAGS + 1
    of_d, at = x[at : at + LAGS + 1], at + LAGS + 1
    clear, at = x[at : at + CLEAR + 1], at + CLEAR + 1
    high, at = x[at : at + HIGH + 1], at + HIGH + 1
    phi, at = x[at : at + m], at + m
    z, at = x[at : at + m], at + m
    psi, at = x[at : at + m], at + m
    b, at = x[at : at + m], at + m
    S, at = x[at : at + m * m], at + m * m
    Q, A = x[at : at + m * m], x[at + m * m :]
    if p[P.fresh] == 0.0:  # measured at the tick of the last command
        low_pass(of_u, p[P.lag], x[X.command])
        observe(rolled_x, of_x, phi, p, u[2])
        observe(rolled_d, of_d, z, p, x[X.target])
    e = error_of(v, phi, of_u[LAGS])
    x[X.residual] += p[P.newest] * (e * e - x[X.residual])
    x[X.surprise] = error_of(guess, phi, of_u[LAGS])
    gather(b, z, x[X.surprise : X.surprise + 1], p[P.forgetting])
    gather(S, z, phi, p[P.forgetting])
    spread_taps(clear, p[P.keep_clear], p[P.difference_gain_clear], u[0])
    spread_taps(high, p[P.keep_high], p[P.difference_gain_high], clear[CLEAR])
    spread_taps(psi, p[P.keep], p[P.difference_gain], GUARD * high[HIGH])
    gather(Q, psi, psi, p[P.forgetting])
    weight = p[P.correlation] * x[X.residual]
    price = x[X.price] * max(S[m + 1], 0.0)
    state_equations(A, S, Q, b, (guess, Lambda, Pi), weight, price)
    if weight > 0.0 and solve(A, m):
        learn(x, v, A, guess, bound, p[P.longest], p[P.correlation])
    known, rung = max(p[P.evidence] * S[m + 1], 0.0), p[P.ringing] * Q[m + 1]
    x[X.lasting] += (1.0 - p[P.forgetting]) * (e * e - x[X.lasting])
    belief = belief_of(known, rung, x[X.lasting])
    believe(w, v, guess, belief)
    low_pass(rolled, p[P.roll], u[0] + p[P.lead] * u[1])
    spread_taps(taps, p[P.keep], p[P.difference_gain], rolled[1])
    s = -error_of(w, taps, 0.0)  # (1)
    x[X.command], x[X.target] = s, u[0]
    if p[P.fresh] != 0.0:  # measured at this tick
        low_pass(of_u, p[P.lag], s)
        observe(rolled_x, of_x, phi, p, u[2])
        observe(rolled_d, of_d, z, p, u[0])
    y[0], y[1], y[2] = s, w[0], w[1] * p[P.slope] / w[0] - p[P.lost]
    y[3], y[4] = belief, x[X.held]
    if abs(z[1]) < STILL:
        settle(x)


def memories(memory: float, h: float) -> dict[str, float]:
    """Give what each sum keeps in a tick."""
    return {"forgetting": exp(-h / memory), "newest": 1 - exp(-h / (FASTER * memory))}


def beliefs(variance: float, edge: float, h: float) -> dict[str, float]:
    """Give the numbers of (5) from σ_1² and the edge of F, rad/s.

    White noise behind three equal lags with an edge ω has the density of one sample in 16/(3 ω h).
    """
    alike = max(16 / (3 * edge * h), 1.0)
    each = variance / alike
    return {"evidence": each / EVIDENCE**2, "ringing": each / RINGING**2}


def bound_rows(bank: Bank, gain: float) -> Vector:
    """Give L q^i/γ at the frequencies of (4), real parts and imaginary parts by turns."""
    nyquist = pi / bank.interval
    first = FIRST_FREQUENCY * min(1 / bank.time, nyquist / 2)
    response = bank.respond(np.geomspace(first, nyquist, POINTS)) / gain
    return np.asarray(np.stack([response.real, response.imag], axis=1), float)


def steepness(bound: Vector) -> Vector:
    """Give Π of (3), the sum of |L q^i/γ|² over the frequencies of (4)."""
    rows = bound.reshape(-1, bound.shape[-1])
    return np.asarray(rows.T @ rows, float)


def rest(guess: Vector, d: float) -> Vector:
    """Give the states at rest at a displacement, with nothing learnt."""
    m, still, none = guess.size, d * np.eye(guess.size)[0], np.zeros(guess.size)
    states: Vector = X.pack(
        command=guess[0] * d,
        target=d,
        residual=0,
        surprise=0,
        held=0,
        price=CHEAPEST,
        lasting=0,
        weights=guess,
        fit=guess,
        taps=still,
        rolled=np.full(2, d),
        rolled_measured=np.full(2, d),
        rolled_target=np.full(2, d),
        of_command=np.full(LAGS + 1, guess[0] * d),
        of_measured=np.full(LAGS + 1, d),
        of_target=np.full(LAGS + 1, d),
        clear=d * np.eye(CLEAR + 1)[0],
        high=np.zeros(HIGH + 1),
        phi=still,
        z=still,
        psi=none,
        products=none,
        squares=np.zeros(m * m),
        ringing=np.zeros(m * m),
        room=np.zeros(m * (m + 1)),
    )
    return states


@register
@describe
class BoundedInverse(Compensator):
    """Inverse that learns within bounds; the package's recommendation."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")
    cites = ("soderstrom2002", "hoerl1970")
    ports = (Port("gain"), Port("delay", "s"), Port("learnt"), Port("held"))
    example = {"delay": 0.006}
    adapts = True

    delay: Delay
    """Identified delay τ at low frequency, s: what is not given follows from it."""
    gain: Positive = 100.0
    """Largest gain γ at any frequency: enough for the inverse of a resonance. A specimen with the
    share μ of the structure's mass needs γ < 1/μ for a proof; what rings is found in the test."""
    order: Literal[3, 4, 5, 6] = 6
    """Order n of the series in q: its end is what is left of the error where there is no noise."""
    memory: Duration = 2.0
    """Time in which what was learnt fades to a third, s: a few periods of the structure."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (4), at rest and with nothing learnt."""
        h, tau, d, m = site.interval, self.delay, site.displacement, self.order + 1
        fastest = highest_content(site) or inf
        bank = Bank(m, max(SHARPEST * tau, WIDEST / fastest, h), h, ROLLED / tau)
        band = min(BAND / tau, REACH * fastest)
        guess, precision = guess_weights(bank, tau, band, min(START, self.gain), WIDER)
        bound = bound_rows(bank, self.gain)
        params = P.pack(
            size=m,
            fresh=float(site.fresh),
            lead=lead_of(self.lead, site),
            keep=bank.keep,
            difference_gain=bank.difference_gain,
            longest=(DELAY_RATIO + 1 / ROLLED) * tau / bank.slope,
            slope=bank.slope,
            guess=guess,
            precision=precision,
            steepness=steepness(bound),
            bound=bound,
            **filter_numbers(tau, fastest, h),
            correlation=max(tau / h, 1.0),
            **beliefs(float(np.linalg.inv(precision)[1, 1]), learning_edge(tau, fastest), h),
            **memories(self.memory, h),
        )
        states = rest(guess, d)
        return Block(step, params, states, outputs=5, work=states.size / COUNTED)
