"""Every law: what all of them promise, and the same numbers as OpenSees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.frame.material.law import MATERIALS, follow, make_part

LAWS = {
    "elastic": (("Elastic", 2e11), {"modulus": 2e11}, 0.01),
    "bilinear": (
        ("Steel01", 345e6, 2e11, 0.01),
        {"modulus": 2e11, "yield_stress": 345e6, "hardening": 0.01},
        0.02,
    ),
    "menegotto_pinto": (
        ("Steel02", 420e6, 2e11, 0.02, 18.0, 0.925, 0.15, 0.05, 1.3, 0.04, 1.1),
        {
            "modulus": 2e11,
            "yield_stress": 420e6,
            "hardening": 0.02,
            "roundness": 18.0,
            "isotropic": (0.05, 1.3, 0.04, 1.1),
        },
        0.02,
    ),
    "kent_park": (
        ("Concrete01", -30e6, -0.002, -6e6, -0.006),
        {"strength": 30e6, "peak_strain": 0.002, "residual": 6e6, "residual_strain": 0.006},
        0.008,
    ),
    "bouc_wen": (
        ("BoucWen", 0.05, 1e7, 1.5, 40.0, 60.0, 1.0, 0.0, 0.0, 0.0, 1e-14, 200),
        {"modulus": 1e7, "hardening": 0.05, "power": 1.5, "gamma": 40.0, "beta": 60.0},
        0.2,
    ),
    "gap": (
        ("ElasticPPGap", 1e8, 1e5, 0.002, 0.05),
        {"modulus": 1e8, "yield_stress": 1e5, "gap": 0.002, "hardening": 0.05},
        0.01,
    ),
    "gap in compression, with damage": (
        ("ElasticPPGap", 1e8, -1e5, -0.002, 0.05, "damage"),
        {"modulus": 1e8, "yield_stress": -1e5, "gap": -0.002, "hardening": 0.05, "damage": True},
        0.01,
    ),
}


def make(name):
    _, given, reach = LAWS[name]
    return MATERIALS[name.split(" ")[0]](**given), reach


def stresses(material, strains):
    p, x = material.parameters(), material.start()
    return np.array([follow(material.code, p, x, x, e)[0] for e in strains])


@pytest.mark.parametrize("name", LAWS)
def test_twenty_random_cyclic_histories_are_those_of_opensees(name, opensees, history):
    words, _, _ = LAWS[name]
    material, reach = make(name)
    for seed in range(20):
        opensees.wipe()
        opensees.model("basic", "-ndm", 2, "-ndf", 3)
        opensees.uniaxialMaterial(words[0], 1, *words[1:])
        opensees.testUniaxialMaterial(1)
        strains, theirs = reach * history(seed), []
        for e in strains:
            opensees.setStrain(float(e))
            theirs.append(opensees.getStress())
        ours = stresses(material, strains)
        assert_allclose(ours, theirs, rtol=0, atol=1e-8 * np.abs(theirs).max())


@pytest.mark.parametrize("name", LAWS)
def test_a_trial_leaves_the_history_alone_and_a_strain_taken_twice_is_taken_once(name, history):
    material, reach = make(name)
    p, x = material.parameters(), material.start()
    z = x.copy()
    for e in reach * history(3, 60):
        follow(material.code, p, x, z, -1.7 * e)  # a trial elsewhere
        s, _ = follow(material.code, p, x, z, e)
        follow(material.code, p, x, x, e)
        np.testing.assert_array_equal(x, z)
        again, _ = follow(material.code, p, x, z, e)
        assert again == pytest.approx(s, rel=1e-13, abs=1e-9 * material.parameters().max())


@pytest.mark.parametrize("name", LAWS)
def test_the_tangent_is_the_slope_of_the_stress(name, history):
    material, reach = make(name)
    p, x = material.parameters(), material.start()
    z, size = x.copy(), 1e-7 * reach
    slopes = []
    for e in reach * history(5, 80):
        s, k = follow(material.code, p, x, z, e)
        forward, _ = follow(material.code, p, x, z, e + size)
        backward, _ = follow(material.code, p, x, z, e - size)
        follow(material.code, p, x, x, e)
        slopes.append((k, (forward - s) / size, (s - backward) / size))
    k, ahead, behind = np.array(slopes).T
    near = np.minimum(np.abs(k - ahead), np.abs(k - behind))
    # at a corner of the law the tangent is that of one side
    assert np.max(near) < 1e-4 * np.abs(k).max()


@pytest.mark.parametrize("name", [n for n in LAWS if "gap" not in n])
def test_the_first_slope_is_the_initial_tangent(name):
    material, _ = make(name)
    e = -1e-9 if name == "kent_park" else 1e-9
    assert stresses(material, [e])[0] / e == pytest.approx(material.initial_tangent, rel=1e-4)


@pytest.mark.parametrize("name", [n for n in LAWS if "kent" not in n and "gap" not in n])
def test_a_closed_cycle_never_gives_work(name):
    material, reach = make(name)
    turn = reach * np.sin(2 * np.pi * np.arange(2001) / 1000)
    s = stresses(material, turn)
    work = np.sum((s[1001:] + s[1000:-1]) / 2 * np.diff(turn[1000:]))
    assert work >= -1e-9 * np.abs(s).max() * reach


def test_what_cannot_be_built_is_refused_with_the_name_of_the_part():
    with pytest.raises(InputError, match=r"materials\.steel\.kind .*Did you mean 'bilinear'"):
        make_part("materials.steel", MATERIALS, {"kind": "bilinaer"})
    with pytest.raises(InputError, match=r"materials\.steel\.modulus"):
        make_part("materials.steel", MATERIALS, {"kind": "elastic", "modulus": -1.0})
