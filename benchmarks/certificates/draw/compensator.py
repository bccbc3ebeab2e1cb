"""Tables of compensators, told the delay of the rig about rightly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig

Table = dict[str, Any]


def draw_delay(dice: Dice, rig: Rig) -> Table:
    """The delay alone."""
    return {"delay": rig.told}


def draw_ahead(dice: Dice, rig: Rig) -> Table:
    """The delay, as the time to predict ahead."""
    return {"ahead": rig.told, "order": dice.choose(1, 2, 3), "points": dice.choose(8, 12, 20)}


def draw_polynomial(dice: Dice, rig: Rig) -> Table:
    """Orders one to four."""
    return {"delay": rig.told, "order": dice.choose(1, 2, 3, 3, 4)}


def draw_hermite(dice: Dice, rig: Rig) -> Table:
    """Both orders."""
    return {"delay": rig.told, "order": dice.choose(2, 3)}


def draw_inverse(dice: Dice, rig: Rig) -> Table:
    """The lag in ticks."""
    return {"alpha": 1.0 + rig.told / rig.tick}


def lag_coefficients(rig: Rig, order: int) -> list[float]:
    """Give the inverse of equal lags that make up the delay."""
    found = [1.0]
    for _ in range(order):
        step = rig.told / order
        found = [a + step * b for a, b in zip([*found, 0.0], [0.0, *found], strict=True)]
    return found


def draw_inverse_lqg(dice: Dice, rig: Rig) -> Table:
    """A model of four lags."""
    return {"coefficients": lag_coefficients(rig, 4)}


def draw_inverse_model(dice: Dice, rig: Rig) -> Table:
    """Orders two to four, some with a low-pass."""
    table = {"delay": rig.told, "order": dice.choose(2, 3, 3, 4)}
    return table | ({"low_pass": 0.2 / rig.tick} if dice.chance(0.2) else {})


def draw_phase_lead(dice: Dice, rig: Rig) -> Table:
    """A lead with its pole well beyond."""
    return {"lead_time": rig.told, "lag_time": rig.told * dice.spread(0.02, 0.2)}


def draw_pi_phase_lead(dice: Dice, rig: Rig) -> Table:
    """A control loop around the actuator, slow enough to hold."""
    return {
        "proportional": dice.between(0.3, 1.0),
        "integral": dice.between(0.1, 0.6) / max(rig.lateness, rig.tick),
        "lead": dice.choose(2.0, 10.0),
        "pole": dice.choose(2.0, 10.0) / max(rig.lateness, rig.tick),
    }


def draw_virtual_coupling(dice: Dice, rig: Rig) -> Table:
    """A coupling a few times as stiff as the specimen."""
    k = rig.stiffness * dice.spread(2.0, 30.0)
    return {"stiffness": k, "damping": k * rig.told * dice.spread(0.3, 10.0)}


def draw_model(dice: Dice, rig: Rig) -> Table:
    """The delay and an estimate of the specimen's stiffness."""
    return {
        "delay": rig.told,
        "interface_stiffness": rig.stiffness * dice.choose(0.5, 1.0, 1.0, 1.5),
    }


def draw_model_modal(dice: Dice, rig: Rig) -> Table:
    """Some of the modes."""
    return draw_model(dice, rig) | {"modes": dice.whole(1, rig.masses.size)}


def draw_upper_bound_delay(dice: Dice, rig: Rig) -> Table:
    """More than the delay."""
    return {"delay": 1.2 * rig.told}


def draw_adaptive_inverse(dice: Dice, rig: Rig) -> Table:
    """Gains that move alpha by a share of itself at the peak of the motion."""
    alpha = 1.0 + rig.told / rig.tick
    area = rig.peak**2 * min(rig.rate * max(rig.lateness, rig.tick), 1.0)
    return {"alpha": alpha, "proportional": alpha / area * dice.spread(0.02, 1.0)}


def draw_adaptive_model_based(dice: Dice, rig: Rig) -> Table:
    """The default gains, of a rig that moves some millimetres, brought to this one."""
    factor = (0.005 / rig.peak) ** 2 * dice.spread(0.1, 3.0)
    gains = [10**6.4, 10**4.2, 10**0.1, 10**-1.2]
    return {"delay": rig.told, "gains": [factor * g for g in gains]}


def draw_adaptive_forward_prediction(dice: Dice, rig: Rig) -> Table:
    """Learns over half a period or more."""
    return {
        "ahead": rig.told,
        "memory": dice.between(0.5, 3.0) / rig.slowest,
        "quiet_amplitude": rig.peak * dice.spread(0.005, 0.2),
    }


def draw_adaptive_time_series(dice: Dice, rig: Rig) -> Table:
    """Learns over a period or more."""
    return {
        "delay": rig.told,
        "order": dice.choose(2, 3),
        "window": dice.between(1.0, 3.0) / rig.slowest,
        "quiet": rig.peak * dice.spread(0.005, 0.2),
    }


def draw_inverse_rls(dice: Dice, rig: Rig) -> Table:
    """As it comes, or with the noise and the quiet of this rig."""
    table: Table = {"delay": rig.told, "order": dice.choose(2, 3, 4, 4)}
    if dice.chance(0.6):
        quiet = rig.peak * dice.spread(0.005, 0.1)
        table |= {"quiet": quiet, "noise": quiet / 5}
    return table


def draw_lms(dice: Dice, rig: Rig) -> Table:
    """The normalised law, more or less quick."""
    return {
        "delay": rig.told,
        "taps": dice.choose(4, 10),
        "rate": dice.spread(0.02, 0.5),
        "quiet_amplitude": rig.peak * dice.spread(0.01, 0.3),
    }


def draw_nothing(dice: Dice, rig: Rig) -> Table:
    """No fields at all."""
    return {}


DRAWN: dict[str, tuple[float, Callable[[Dice, Rig], Table]]] = {
    "none": (8.0, draw_nothing),
    "polynomial": (2.0, draw_polynomial),
    "forward_prediction": (1.0, draw_ahead),
    "hermite": (1.0, draw_hermite),
    "derivative_feedforward": (1.0, draw_delay),
    "explicit_newmark": (1.0, draw_delay),
    "linear_acceleration": (1.0, draw_delay),
    "inverse": (1.0, draw_inverse),
    "inverse_lqg": (0.7, draw_inverse_lqg),
    "inverse_model": (1.0, draw_inverse_model),
    "phase_lead": (1.0, draw_phase_lead),
    "pi_phase_lead": (0.7, draw_pi_phase_lead),
    "virtual_coupling": (0.7, draw_virtual_coupling),
    "model_based": (0.7, draw_model),
    "model_modal": (0.7, draw_model_modal),
    "upper_bound_delay": (0.7, draw_upper_bound_delay),
    "adaptive_inverse": (1.2, draw_adaptive_inverse),
    "adaptive_model_based": (1.2, draw_adaptive_model_based),
    "adaptive_forward_prediction": (1.2, draw_adaptive_forward_prediction),
    "adaptive_time_series": (1.2, draw_adaptive_time_series),
    "inverse_rls": (1.5, draw_inverse_rls),
    "bounded_inverse": (1.5, draw_delay),
    "lms": (1.2, draw_lms),
    "model_broyden": (0.7, draw_model),
    "own_blocks:Lead": (1.0, draw_delay),
}
"""How often each kind is drawn, and by what."""


ADAPTIVE = (
    "adaptive_inverse",
    "adaptive_model_based",
    "adaptive_forward_prediction",
    "adaptive_time_series",
    "inverse_rls",
    "bounded_inverse",
    "lms",
    "model_broyden",
)
"""Kinds that learn."""


def draw_compensator(dice: Dice, linear: bool) -> str:
    """Draw a kind: the rig depends on whether there is one."""
    kinds = [name for name in DRAWN if not (linear and name in ADAPTIVE)]
    return dice.weigh({name: DRAWN[name][0] for name in kinds})


def draw_compensator_table(dice: Dice, rig: Rig, kind: str) -> Table:
    """Draw the table of a kind."""
    return {"kind": kind, **DRAWN[kind][1](dice, rig)}
