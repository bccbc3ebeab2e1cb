from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(f.relative_to(ROOT).with_suffix("").parts)
    for f in (ROOT / "benchmarks").rglob("*.py")
    if not f.name.startswith("__")
)


@pytest.mark.parametrize("name", MODULES)
def test_it_finds_all_that_it_measures(name):
    import_module(name)  # a name that has gone from the package is an error here, not in a year
