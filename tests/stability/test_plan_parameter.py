from dataclasses import replace

import numpy as np
from numpy.testing import assert_array_equal

from rths.config.plan import load
from rths.stability.plan_parameter import change_plan, multiply, numbers, value_of
from rths.structure.linear import Linear
from rths.studies.wallace2005.three_ways import PLAN


def test_a_matrix_of_a_file_is_changed_by_a_factor_as_one_of_the_plan(tmp_path):
    np.save(tmp_path / "M.npy", [[2.2]])
    files = Linear(mass=str(tmp_path / "M.npy"), stiffness=2250.0, damping=15.0)
    test = replace(load(PLAN), structure=files)
    assert value_of(test, "structure.mass") == ((2.2,),)
    assert {"structure.mass", "structure.stiffness"} <= set(numbers(test))
    more = change_plan(test, {"structure.mass": multiply(value_of(test, "structure.mass"), 1.5)})
    assert_array_equal(more.structure.matrices()[0], [[2.2 * 1.5]])
