"""The slope of the characteristic matrix: how far a root is from where it was found."""

import numpy as np
import pytest


def slope_of(equation, root):
    """dΔ/dλ."""
    d = np.arange(equation.coefficients.shape[0])
    powers, lowered = root**d, d * root ** np.maximum(d - 1, 0)
    late = np.exp(-root * equation.delays)
    weights = lowered[:, None] * late - powers[:, None] * equation.delays * late
    return np.einsum("dj,djkl->kl", weights, equation.coefficients)


@pytest.fixture(scope="session")
def characteristic_slope():
    return slope_of
