"""What the fit of every damper law promises."""

import numpy as np
import pytest

from rths.identification.bingham_fit import bingham_fit
from rths.identification.bouc_wen_fit import bouc_wen_fit, bouc_wen_force
from rths.identification.power_law_fit import power_law_fit, power_law_force

T = np.arange(0.0, 4.0, 1 / 256)
W = 2 * np.pi * 1.273
X = 0.01016 * np.minimum(T / 2, 1) * np.sin(W * T)
V = np.gradient(X, T)


TRUTH = [2e6, 0.1, 2e-3, 0.6, 1.7, 5e3]


@pytest.mark.parametrize("law", ["bingham", "power law", "bouc-wen"])
def test_the_intervals_hold_the_truth_at_their_confidence(law):
    rng = np.random.default_rng(7)
    laws = {
        "bingham": (
            [39.8, 801.0, 2140.0, 1.49],
            lambda x, v, f_c, c, k, f_o: f_c * np.sign(v) + c * v + k * x + f_o,
            lambda f: bingham_fit(X, V, f),
        ),
        "power law": (
            [60e3, 0.15],
            lambda x, v, *p: power_law_force(v, *p),
            lambda f: power_law_fit(V, f),
        ),
        "bouc-wen": (TRUTH, bouc_wen_force, lambda f: bouc_wen_fit(X, V, f)),
    }
    truth, force, fitted = laws[law]
    clean, inside, runs = force(X, V, *truth), np.zeros(len(truth)), 24
    for _ in range(runs):
        fit = fitted(clean + 0.02 * np.std(clean) * rng.normal(size=X.size))
        inside += [
            p.low <= v <= p.high for p, v in zip(fit.parameters.values(), truth, strict=True)
        ]
    assert np.all(inside >= 19)  # 22.8 ± 3.6 standard deviations of 1.1
