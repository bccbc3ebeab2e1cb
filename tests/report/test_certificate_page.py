"""Pictures of the certificate: colours follow the sign, and the plan is where it is."""

from __future__ import annotations

import re

import numpy as np

from rths.config.plan import load
from rths.report.certificate_page import certificate_page, draw_chart
from rths.stability.certificate import certify
from rths.stability.loop_chart import chart
from rths.studies.wallace2005.three_ways import PLAN


def circle():
    """A chart that is stable outside a circle of radius 1/2."""
    axis = np.linspace(-1.0, 1.0, 21)
    return chart(lambda x, y: 0.25 - x * x - y * y, axis, axis, ("x", "y"), (0.7, 0.7))


def test_the_coloured_area_is_that_of_the_region():
    boxes = re.findall(
        r'class="(good|bad)" x="\S+" y="\S+" width="(\S+)" height="(\S+)"', draw_chart(circle())
    )
    area = {
        k: sum(float(w) * float(h) for kind, w, h in boxes if kind == k) for k in ("good", "bad")
    }
    # π r² of the square; linear between points of a grid of 1/10: a hundredth
    assert abs(area["bad"] / (area["bad"] + area["good"]) - np.pi / 16) < 0.01


def test_the_plan_is_marked_where_it_is():
    picture = draw_chart(circle())
    assert picture.count('class="here"') == 1
    assert "this plan" in picture


def test_the_roots_along_a_test_whose_structure_yields_are_in_a_table():
    storey = {"kind": "bilinear_building", "masses": [2.2], "stiffnesses": [2250.0]}
    storey |= {"yield_deformations": 0.002, "hardening": 0.1, "damping_ratios": 0.1}
    shaken = {"kind": "sine", "acting": "ground_acceleration", "amplitude": 3.0, "frequency": 4.0}
    test = load(PLAN, {"structure": storey, "excitation": shaken, "clock.duration": 2.0})
    found = certify(test)
    table = certificate_page(found).partition("Along the rehearsed test")[2].partition("</table>")
    rows = re.findall(r"<tr><td>([a-z ]+)</td>", table[0])
    assert rows == [point.what for point in found.operating]
    assert rows[0] == "rest"
    assert "softest" in rows
