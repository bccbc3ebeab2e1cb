"""What the paper states, in the order of the numbers."""

from rths.studies.carrion2006.laboratory import LABORATORY
from rths.studies.carrion2006.theory import THEORY
from rths.studies.target import Targets

TARGETS = Targets(sorted([*THEORY, *LABORATORY], key=lambda t: int(t.id[1:])))
