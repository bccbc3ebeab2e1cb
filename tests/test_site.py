import subprocess
import sys

from numpy.random import SeedSequence

from rths.site import Site

WHAT_A_RUN_IMPORTS = """
import sys
from rths.config.plan import load
from rths.studies.wallace2005.three_ways import PLAN
load(PLAN).layout
print("numpy.random" in sys.modules)
"""


def test_its_seed_follows_from_its_key_alone():
    expected = int(SeedSequence([4, 0, 7]).generate_state(1)[0])
    assert Site(1e-3, 1e-3, key=(4, 0, 7)).seed == expected
    assert Site(1e-3, 4e-3, channel=2, key=(4, 0, 7)).seed == expected
    assert Site(1e-3, 1e-3, key=(4, 1, 7)).seed != expected


def test_random_numbers_are_not_imported_for_a_plan_without_any():
    # it takes longer than most of the rest of a short rehearsal
    done = subprocess.run(
        [sys.executable, "-c", WHAT_A_RUN_IMPORTS], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
