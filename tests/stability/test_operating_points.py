"""Roots with the tangent of the structure along the rehearsed test."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.loop_change import linear_loop, roots_at_rest
from rths.stability.operating_points import (
    choose_instants,
    find_operating_points,
    roots_with,
    tell_operating,
)
from rths.stability.roots import root_numbers
from rths.stability.structural_modes import modes_of
from rths.stability.tangent import Tangent

E, AREA, INERTIA = 2e11, 0.02, 4e-5
H, EI, SPRING, AFTER = 4.0, E * INERTIA, 6e7, 0.05
"""Height, m; stiffnesses of the columns; of a hinge, N m, and its share after yield."""
MASS, TURNING = 4e4, 2e3


def sway(spring, load=0.0):
    """Lateral stiffness of two columns with a hinge at each end, under a load on each.

    2 (12 EI/h³ / (1 + 6 EI/(s h)) - P/h): slope-deflection with springs at both ends.
    """
    return 2 * (12 * EI / H**3 / (1 + 6 * EI / (spring * H)) - load / H)


def portal(load=0.0, yields=True):
    """A portal whose floor does not bend, with bilinear hinges at both ends of its columns."""
    law = {"kind": "bilinear", "modulus": SPRING, "yield_stress": 1.5e5, "hardening": AFTER}
    elastic = {"kind": "elastic", "modulus": SPRING}
    table = {
        "nodes": {},
        "supports": {},
        "ties": [],
        "masses": {},
        "loads": {},
        "materials": {"hinge": law if yields else elastic},
        "sections": {"c": {"kind": "elastic", "modulus": E, "area": AREA, "inertia": INERTIA}},
        "elements": {},
    }
    for k, x in enumerate((0.0, 6.0)):
        base, foot, head, roof = (f"{name}{k}" for name in ("base", "foot", "head", "roof"))
        table["nodes"] |= {base: [x, 0.0], foot: [x, 0.0], head: [x, H], roof: [x, H]}
        table["supports"] |= {base: "fixed", foot: "pinned", roof: ["r"]}
        table["ties"] += [{"nodes": [head, roof], "directions": ["y"]}]
        table["masses"] |= {foot: [0, 0, TURNING], head: [0, 0, TURNING], roof: [MASS, MASS, 0]}
        if load:
            table["loads"][roof] = [0.0, -load, 0.0]
        table["elements"] |= {
            f"low{k}": {"kind": "zero_length", "nodes": [base, foot], "springs": {"r": "hinge"}},
            f"high{k}": {"kind": "zero_length", "nodes": [head, roof], "springs": {"r": "hinge"}},
            f"column{k}": {
                "kind": "elastic_beam",
                "nodes": [foot, head],
                "section": "c",
                "geometry": "p_delta" if load else "linear",
            },
        }
    alike = ["head0", "roof0", "head1", "roof1"]
    table["ties"].append({"nodes": alike, "directions": ["x"]})
    return table


@pytest.fixture
def shaken(rig, make, tmp_path):
    """Make a test of the portal, shaken by a sine."""

    def build(table, amplitude=3.0, **given):
        file = tmp_path / "portal.json"
        file.write_text(json.dumps(table), "utf-8")
        parts = {
            "excitation": make("excitation", "sine", amplitude=amplitude, frequency=0.8),
            "structure": make(
                "structure",
                "frame",
                model=str(file),
                interface=["roof0.x"],
                rayleigh=(0.02, 0.02),
            ),
            "integrator": make("integrator", "kr_alpha"),
            "transfer": make("transfer", "dead_time", delay=0.0),
            "specimen": make("specimen", "spring", stiffness=1e5),
            "tick": 2e-3,
            "duration": 4.0,
        }
        return rig(**{**parts, **given})

    return build


@pytest.fixture
def storey(rig, make):
    """Make a test of one storey that yields at 5 mm, with a spring for its specimen."""

    def build(numbers, delay=0.0, **given):
        m, c, k, hardening, spring = numbers
        structure = make(
            "structure",
            "bilinear_building",
            masses=(m,),
            stiffnesses=(k,),
            damping=[[c]],
            yield_deformations=0.005,
            hardening=hardening,
        )
        specimen = make("specimen", "spring", stiffness=spring)
        transfer = make("transfer", "dead_time", delay=delay)
        return rig(structure=structure, specimen=specimen, transfer=transfer, **given)

    return build


def points_of(test):
    bench = Bench(test, modes_of(test))
    return find_operating_points(bench.rehearsal, bench.line, bench.modes)


def instants(test):
    bench = Bench(test, modes_of(test))
    return choose_instants(bench.rehearsal, bench.line, bench.modes)


def lateral(test, instant):
    """Condense the tangent at an instant to the floor."""
    K = Tangent(test.equation.restoring).matrix(instant.x, instant.u)
    x = test.structure.assembled.places["roof0", "x"]
    return 1 / np.linalg.inv(K)[x, x]


@pytest.mark.parametrize("load", [0.0, 2e5])
def test_before_and_after_yield_the_tangent_of_a_portal_is_that_of_slope_deflection(shaken, load):
    test = shaken(portal(load))
    found = instants(test)
    # differences over a millionth of the motion: round-off of the forces is 1e-9 of the stiffness
    assert_allclose(lateral(test, found["rest"]), sway(SPRING, load), rtol=1e-6)
    # all hinges yield together; the axial forces of the columns sway by some per mille of the load
    assert_allclose(lateral(test, found["softest"]), sway(AFTER * SPRING, load), rtol=1e-3)


@pytest.mark.parametrize("ticks", [1, 3])
def test_the_points_of_a_linear_frame_have_the_roots_of_rest(shaken, ticks):
    test = shaken(portal(yields=False), step=ticks * 2e-3)
    points = points_of(test)
    assert points[0].what == "rest"
    assert {p.what for p in points} == {"rest", "end", "largest displacement", "largest velocity"}
    certificate = certify(test)
    for p in points:
        assert_allclose(p.growth_rate, certificate.rest.growth_rate, rtol=1e-6)
        assert_allclose(p.frequency, certificate.rest.frequency, rtol=1e-8)
        assert p.stiffness == pytest.approx(1.0, abs=1e-8)
    assert certificate.verdict == "proved"
    assert certificate.operating == ()  # a proof needs no points


@pytest.mark.parametrize("kind", ["elastic_beam", "displacement_beam", "force_beam"])
def test_under_loads_the_roots_at_rest_are_those_of_the_tangent(shaken, kind):
    """Motions next to nothing are lost beside the displacements of rest: no stiffness was seen."""
    table = portal(2e5)
    table["materials"]["steel"] = {"kind": "bilinear", "modulus": E, "yield_stress": 345e6}
    if kind != "elastic_beam":
        layer = {"material": "steel", "y": [-0.044721, 0.044721], "area": AREA / 2, "count": 2}
        table["sections"]["c"] = {"kind": "fibres", "layers": [layer]}
    for name in ("column0", "column1"):
        table["elements"][name]["kind"] = kind
    test = shaken(table, duration=0.5)
    assert linear_loop(test).differentiable
    growth, frequency, _ = root_numbers(roots_at_rest(test).dominant)
    e = test.equation
    expected = roots_with(test, Tangent(e.restoring).matrix(e.restoring.states, np.zeros(e.size)))
    assert_allclose((growth, frequency), expected[:2], rtol=1e-9)
    floor = test.structure.assembled.places["roof0", "x"]
    lateral = 1 / np.linalg.inv(test.structure.assembled.loaded_stiffness)[floor, floor]
    # the floor, whose joints hardly turn, with its spring; the inertia of the joints is a per mille
    assert_allclose(frequency, np.sqrt((lateral + 1e5) / (2 * MASS)) / (2 * np.pi), rtol=5e-3)


def test_a_linear_frame_under_loads_is_proved_with_the_roots_that_it_has_without(shaken):
    table = portal(2e5, yields=False)
    for name in ("column0", "column1"):
        table["elements"][name]["geometry"] = "linear"
    loaded, free = certify(shaken(table)), certify(shaken(portal(yields=False)))
    assert loaded.verdict == free.verdict == "proved"
    assert_allclose(loaded.rest.growth_rate, free.rest.growth_rate, rtol=1e-6)
    assert_allclose(loaded.rest.frequency, free.rest.frequency, rtol=1e-8)


def central_difference(m, c, k, dt):
    """Growth rate and frequency of m (x⁺ - 2 x + x⁻)/dt² + c (x⁺ - x⁻)/(2 dt) + k x = 0."""
    z = np.roots([m / dt**2 + c / (2 * dt), k - 2 * m / dt**2, m / dt**2 - c / (2 * dt)])
    s = np.log(z.astype(complex)) / dt
    top = s[np.argmax(s.real + 1e-9 * s.imag)]
    return top.real, abs(top.imag) / (2 * np.pi)


def test_one_storey_that_yields_has_the_roots_of_the_central_difference(storey, make):
    """Rest with k, the softest instant with a k; the spring of the specimen stands beside both."""
    k, a, m, c, spring, dt = 9e5, 0.1, 1000.0, 600.0, 5e4, 2e-3
    sine = make("excitation", "sine", amplitude=8.0, frequency=3.0)
    test = storey((m, c, k, a, spring), excitation=sine, tick=dt)
    points = {p.what: p for p in points_of(test)}
    for what, share in (("rest", 1.0), ("softest", a)):
        assert points[what].stiffness == pytest.approx(share, rel=1e-6)
        own = points[what].growth_rate, points[what].frequency
        assert_allclose(own, central_difference(m, c, share * k + spring, dt), rtol=1e-6)
    assert not any(p.growing for p in points.values())


def test_a_frame_that_leans_more_than_it_resists_after_yield_is_named(shaken, make):
    load = 1.5e6
    assert sway(SPRING, load) > 0 > sway(AFTER * SPRING, load) + 1e4
    soft = make("specimen", "spring", stiffness=1e4)
    test = shaken(portal(load), amplitude=1.4, specimen=soft, duration=2.0)
    certificate = certify(test)
    points = {p.what: p for p in certificate.operating}
    assert not points["rest"].growing
    fallen = points["softest"]
    assert fallen.growing == 1
    assert fallen.frequency == 0.0
    # λ_1 is the stiffness of the floor over its mass, but for the inertia of the rotations
    left = sway(AFTER * SPRING, load) / sway(SPRING, load)
    assert fallen.stiffness == pytest.approx(left, rel=0.05)
    m, k = 2 * MASS, sway(AFTER * SPRING, load) + 1e4
    c = test.equation.C[(test.structure.assembled.places["roof0", "x"],) * 2]
    # inertia of the rotations, and damping off the floor, are some per cent
    slow = (-c + np.sqrt(c**2 - 4 * m * k)) / (2 * m)
    assert fallen.growth_rate == pytest.approx(slow, rel=0.1)
    (told,) = tell_operating(certificate.operating)
    assert told in certificate.notes
    assert "grow at softest" in told or "; softest" in told
    assert "to one side" in told


def late_root(m, c, k, spring, delay, near):
    """Root of m s² + c s + k + k_s exp(-s τ) = 0 near a first one, by Newton's method."""
    s = near
    for _ in range(50):
        held = spring * np.exp(-s * delay)
        s -= (m * s**2 + c * s + k + held) / (2 * m * s + c - delay * held)
    return s


def test_a_delay_that_what_is_left_of_a_structure_does_not_bear_is_named(storey, make):
    """c > k_s sin(ωτ)/ω decides: slower, after yield, the delay takes more damping away."""
    m, k, a, spring, delay, c = 1000.0, 1e6, 0.05, 2e5, 0.03, 5340.0
    sine = make("excitation", "sine", amplitude=6.0, frequency=4.0)
    test = storey((m, c, k, a, spring), delay, excitation=sine, tick=5e-4)
    points = {p.what: p for p in points_of(test)}
    for what, share in (("rest", 1.0), ("softest", a)):
        s = late_root(m, c, share * k, spring, delay, 1j * np.sqrt((share * k + spring) / m))
        # the force is held over a step of 0.5 ms: half of it more delay, and as much more damping
        assert points[what].growth_rate == pytest.approx(s.real, abs=0.05)
        assert points[what].frequency == pytest.approx(s.imag / (2 * np.pi), rel=5e-3)
    assert points["rest"].growth_rate < 0 < points["softest"].growth_rate


def test_a_lost_test_has_points_until_it_is_lost(shaken, make):
    late = make("transfer", "dead_time", delay=0.12)
    stiff = make("specimen", "spring", stiffness=4e6)
    certificate = certify(shaken(portal(), transfer=late, specimen=stiff))
    assert certificate.verdict == "unstable"
    assert certificate.trial.lost is not None
    points = certificate.operating
    assert all(p.growing for p in points)
    assert all(np.isfinite(p.growth_rate) for p in points)
    assert max(p.time for p in points) <= certificate.trial.lost


def test_the_roots_with_a_tangent_are_those_of_the_linear_plan_with_it(shaken, make):
    """The central difference has no stiffness among its parameters: both plans are one loop."""
    test = shaken(portal(2e5), integrator=make("integrator", "central_difference"))
    instant = instants(test)["softest"]
    K = Tangent(test.equation.restoring).matrix(instant.x, instant.u)
    K = (K + K.T) / 2
    e = test.equation
    linear = make(
        "structure",
        "linear",
        mass=e.M.tolist(),
        damping=e.C.tolist(),
        stiffness=K.tolist(),
        interface=[test.structure.assembled.places["roof0", "x"]],
    )
    other = certify(shaken(portal(2e5), integrator=test.integrator, structure=linear))
    growth, frequency, _, _ = roots_with(test, K)
    assert_allclose(growth, other.rest.growth_rate, rtol=1e-9)
    assert_allclose(frequency, other.rest.frequency, rtol=1e-9)
