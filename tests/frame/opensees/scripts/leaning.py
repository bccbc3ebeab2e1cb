"""A frame with a leaning column: pinned supports, P-Delta, floors by equalDOF in chains."""

from openseespy.opensees import (
    element,
    equalDOF,
    fix,
    geomTransf,
    load,
    mass,
    model,
    node,
    pattern,
    section,
    timeSeries,
)

model("basic", "-ndm", 2)
for tag, place in {
    1: (0.0, 0.0),
    2: (5.0, 0.0),
    3: (7.5, 0.0),
    4: (0.0, 3.0),
    5: (5.0, 3.0),
    6: (7.5, 3.0),
    7: (0.0, 6.0),
    8: (5.0, 6.0),
    9: (7.5, 6.0),
}.items():
    node(tag, *place)
for tag in (1, 2, 3):
    fix(tag, 1, 1, 0)
    mass(tag, 0.0, 0.0, 10.0)
for first, others in {4: (5, 6), 7: (8, 9)}.items():
    for other in others:
        equalDOF(first, other, 1)
for tag in (4, 5, 7, 8):
    mass(tag, 100.0, 100.0, 10.0)
for tag in (6, 9):
    mass(tag, 50.97e3, 1e3, 1e2)
section("Elastic", 3, 2.05e11, 0.0098, 1.03e-4)
geomTransf("Linear", 1)
geomTransf("PDelta", 2)
for number, (a, b) in enumerate([(1, 4), (2, 5), (4, 7), (5, 8)], start=1):
    element("elasticBeamColumn", number, a, b, 3, 2, "-mass", 77.1)
for number, (a, b) in enumerate([(4, 5), (7, 8)], start=11):
    element("elasticBeamColumn", number, a, b, 0.0105, 2e11, 2.9e-4, 1, "-mass", 81.0, "-cMass")
for number, (a, b) in enumerate([(3, 6), (6, 9)], start=21):
    element("elasticBeamColumn", number, a, b, 9.76e-2, 2e11, 7.125e-4, 2)
timeSeries("Linear", 5)
pattern("Plain", 5, 5)
load(6, 0.0, -500e3, 0.0)
load(9, 0.0, -500e3, 0.0)
