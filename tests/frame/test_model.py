"""Bad models: each is refused before the test, with the node, element or part named."""

from copy import deepcopy

import pytest

from rths.errors import InputError
from rths.frame.frame import AssembledFrame
from rths.frame.model import Model

PORTAL = {
    "nodes": {"1": [0.0, 0.0], "2": [0.0, 3.0], "3": [5.0, 3.0], "4": [5.0, 0.0]},
    "supports": {"1": "fixed", "4": "fixed"},
    "masses": {"2": [1e4, 1e4, 1e3], "3": [1e4, 1e4, 1e3]},
    "materials": {
        "steel": {"kind": "bilinear", "modulus": 2e11, "yield_stress": 345e6, "hardening": 0.01}
    },
    "sections": {
        "column": {"kind": "wide_flange", "shape": "IPE300", "material": "steel"},
        "beam": {"kind": "elastic", "modulus": 2e11, "area": 0.005, "inertia": 8e-5},
    },
    "elements": {
        "left": {"kind": "displacement_beam", "nodes": ["1", "2"], "section": "column"},
        "right": {"kind": "displacement_beam", "nodes": ["4", "3"], "section": "column"},
        "beam": {"kind": "elastic_beam", "nodes": ["2", "3"], "section": "beam"},
    },
}
REMOVED = object()
BAD = {
    "no nodes": ({"nodes": {}}, "nodes"),
    "no elements": ({"elements": {}}, "elements"),
    "no supports": ({"supports": {}}, "supports"),
    "unknown table": ({"element": {}}, r"element: .*Did you mean 'elements'"),
    "node with one coordinate": ({"nodes.2": [0.0]}, r"nodes\.2"),
    "node that is text": ({"nodes.2": ["0", "3"]}, r"nodes\.2"),
    "node that is not finite": ({"nodes.2": [0.0, float("nan")]}, r"nodes\.2"),
    "node in millimetres": ({"nodes.3": [5000.0, 300000.0]}, r"nodes\.3.*metres"),
    "unconnected node": ({"nodes.9": [2.0, 2.0]}, r"nodes\.9: is at the end of no element"),
    "unknown node of an element": ({"elements.beam.nodes": ["2", "7"]}, r"elements\.beam\.nodes"),
    "one node twice": ({"elements.beam.nodes": ["2", "2"]}, r"elements\.beam\.nodes"),
    "element without length": ({"nodes.2": [0.0, 0.0]}, r"elements\.left\.nodes.*no length"),
    "unknown section": ({"elements.left.section": "colum"}, r"elements\.left\.section.*'column'"),
    "unknown material": ({"sections.column.material": "stele"}, r"sections\.column.*'steel'"),
    "unknown kind of element": ({"elements.beam.kind": "beam"}, r"elements\.beam\.kind"),
    "unknown kind of material": ({"materials.steel.kind": "iron"}, r"materials\.steel\.kind"),
    "unknown kind of section": ({"sections.beam.kind": "tube"}, r"sections\.beam\.kind"),
    "unknown shape": ({"sections.column.shape": "W14X12"}, r"sections\.column\.shape"),
    "unknown field": ({"elements.beam.sectoin": "beam"}, r"elements\.beam\.sectoin"),
    "negative modulus": ({"materials.steel.modulus": -2e11}, r"materials\.steel\.modulus"),
    "modulus in MPa": ({"materials.steel.modulus": 2e5}, r"materials\.steel.*Pa"),
    "yield stress beyond the modulus": (
        {"materials.steel.yield_stress": 3.45e11},
        r"materials\.steel\.yield_stress",
    ),
    "area in mm²": ({"sections.beam.area": 5380.0}, r"sections\.beam"),
    "no mass at all": ({"masses": {}}, "masses"),
    "massless rotation at a fibre element": (
        {"masses.2": [1e4, 1e4, 0.0]},
        r"masses\.2: has none along r, where element left",
    ),
    "negative mass": ({"masses.2": [-1.0, 1.0, 1.0]}, r"masses\.2"),
    "mass at no node": ({"masses.8": 1e3}, r"masses\.8"),
    "load at no node": ({"loads": {"8": [0.0, -1.0, 0.0]}}, r"loads\.8"),
    "load with two numbers": ({"loads": {"2": [0.0, -1.0]}}, r"loads\.2"),
    "load beyond the strength": ({"loads": {"2": [0.0, -1e9, 0.0]}}, "loads: are not carried"),
    "support at no node": ({"supports.7": "fixed"}, r"supports\.7"),
    "support in no direction": ({"supports.1": "clamped"}, r"supports\.1.*fixed, pinned"),
    "everything held": ({"supports": dict.fromkeys("1234", "fixed")}, "supports: hold every"),
    "tie to no node": ({"ties": [{"nodes": ["2", "9"], "directions": "x"}]}, r"ties\[0\]"),
    "tie of one node": ({"ties": [{"nodes": ["2"], "directions": "x"}]}, r"ties\[0\]\.nodes"),
    "tie to a support": ({"ties": [{"nodes": ["1", "2"], "directions": "x"}]}, r"ties\[0\].*held"),
    "chain of ties": (
        {
            "nodes.5": [1.0, 3.0],
            "elements.more": {"kind": "elastic_beam", "nodes": ["2", "5"], "section": "beam"},
            "ties": [
                {"nodes": ["2", "3"], "directions": "x"},
                {"nodes": ["3", "5"], "directions": "x"},
            ],
        },
        r"ties\[1\].*ties\[0\]",
    ),
    "mechanism": (
        {
            "supports": {"1": "xy"},
            "masses.1": [0.0, 0.0, 1.0],
            "masses.4": 1.0,
            "elements": {
                "left": PORTAL["elements"]["left"],
                "right": PORTAL["elements"]["right"],
                "beam": PORTAL["elements"]["beam"],
            },
        },
        r"nodes\..*mechanism",
    ),
    "node on bars only": (
        {
            "nodes.5": [2.0, 5.0],
            "masses.5": 1e3,
            "elements.a": {"kind": "truss", "nodes": ["2", "5"], "material": "steel", "area": 0.01},
            "elements.b": {"kind": "truss", "nodes": ["3", "5"], "material": "steel", "area": 0.01},
        },
        r"nodes\.5\.r: can move without any force",
    ),
    "springs that are apart": (
        {"elements.beam": {"kind": "zero_length", "nodes": ["2", "3"], "springs": {"r": "steel"}}},
        r"elements\.beam\.nodes.*apart",
    ),
    "ties that are no list": ({"ties": {"a": "b"}}, "ties: is not a list"),
    "tie to itself": ({"ties": [{"nodes": ["2", "2"], "directions": "x"}]}, r"ties\[0\]\.nodes"),
    "direction that is a number": ({"supports.1": [1]}, r"supports\.1"),
    "number too long for a computer": ({"nodes.2": [0, 10**400]}, r"nodes\.2.*finite"),
    "kind that is a list": ({"materials.steel.kind": ["bilinear"]}, r"materials\.steel\.kind"),
    "inertia of nothing": ({"sections.beam.inertia": 1e-300}, r"sections\.beam\.inertia"),
    "inertia in mm⁴": ({"sections.beam.inertia": 8.36e7}, r"sections\.beam\.inertia.*m⁴"),
    "coordinate beyond all": ({"nodes.2": [0.0, 1e300]}, r"nodes\.2.*5 km"),
    "mass of next to nothing": ({"masses.2": [1e-300] * 3}, r"masses\.2: has 1e-300 along x"),
    "fibres at one height": (
        {"sections.column": {"kind": "fibres", "single": [[0.1, 1e-3, "steel"]]}},
        r"sections\.column: is the section of element left, and does not bend",
    ),
    "three nodes": ({"elements.beam.nodes": ["1", "2", "3"]}, "Give two names of nodes"),
    "spring along z": (
        {"elements.beam": {"kind": "zero_length", "nodes": ["2", "3"], "springs": {"z": "steel"}}},
        r"elements\.beam\.springs.*materials by direction",
    ),
    "a thousand million fibres": (
        {
            "sections.column": {
                "kind": "fibres",
                "patches": [{"material": "steel", "y": [0.0, 0.1], "width": 0.1, "count": 10**9}],
            }
        },
        r"sections\.column\.patches",
    ),
    "more nodes than anybody runs": (
        {
            "nodes": {str(n): [0.0, float(n)] for n in range(1, 2001)},
            "supports": {"1": "fixed"},
            "masses": {},
            "elements.left.nodes": ["1", "2"],
            "elements.right.nodes": ["2", "3"],
            **{
                f"elements.{n}": {
                    "kind": "elastic_beam",
                    "nodes": [str(n), str(n + 1)],
                    "section": "beam",
                }
                for n in range(3, 2000)
            },
        },
        "nodes: have 5997 degrees of freedom",
    ),
    "masses in tonnes times thousands": ({"masses.2": [1e13, 1e13, 1e12]}, "first period"),
}


def changed(changes):
    table = deepcopy(PORTAL)
    for path, value in changes.items():
        *owners, name = path.split(".")
        at = table
        for owner in owners:
            at = at[owner]
        at[name] = value
    return table


def test_the_portal_itself_is_taken():
    assert AssembledFrame(Model.of(PORTAL)).size == 6


@pytest.mark.parametrize("name", BAD)
def test_a_bad_model_is_refused_with_its_part_named(name):
    changes, message = BAD[name]
    with pytest.raises(InputError, match=message):
        AssembledFrame(Model.of(changed(changes)))
