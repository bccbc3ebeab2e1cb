"""Which loads of a script are there before the test."""

import pytest

from rths.errors import InputError
from rths.frame.opensees.loads import choose_patterns


def facts(time, **factors):
    patterns = {
        tag.strip("_"): {"nodes": [2], "elements": [], "factor": factor}
        for tag, factor in factors.items()
    }
    return {"time": time, "patterns": patterns}


def test_a_script_that_has_calculated_nothing_has_one_pattern_in_mind():
    assert choose_patterns(facts(0.0, _1=0.0), ()) == {"1": 1.0}
    with pytest.raises(InputError, match="must be said: 1, 2"):
        choose_patterns(facts(0.0, _1=0.0, _2=0.0), ())


def test_a_load_that_has_gone_back_to_nothing_is_not_taken_unless_it_is_asked_for():
    """A push along a path that ends at zero is no gravity."""
    assert choose_patterns(facts(0.4, _1=0.0), ()) == {}
    assert choose_patterns(facts(0.4, _1=0.0, _2=1.0), ()) == {"2": 1.0}
    assert choose_patterns(facts(0.4, _1=0.0), (1,)) == {"1": 1.0}
