"""What the paper states, in the order of the numbers."""

from rths.studies.target import Targets
from rths.studies.wu2013.simulated import SIMULATED
from rths.studies.wu2013.theory import THEORY

TARGETS = Targets(sorted([*THEORY, *SIMULATED], key=lambda t: int(t.id[1:])))
