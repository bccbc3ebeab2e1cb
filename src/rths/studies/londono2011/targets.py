"""What the paper states, in its order: theory of late dampers, then frame and predictor."""

from rths.studies.londono2011.laboratory import LABORATORY
from rths.studies.londono2011.theory import THEORY
from rths.studies.target import Targets

TARGETS = Targets([*THEORY, *LABORATORY])
