"""Requirements that nothing could keep are refused by name."""

from __future__ import annotations

import pytest

from rths.design.requirements import Requirements
from rths.errors import InputError


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("delay_margin", -0.1),
        ("gain_margin", 0.9),
        ("probability", 0.0),
        ("probability", 1.5),
        ("noise", float("nan")),
    ],
)
def test_what_asks_for_nothing_is_refused(field, value):
    with pytest.raises(InputError, match="--" + field.replace("_", "-")):
        Requirements(**{field: value})
