"""What all tests share: one cache of compiled kernels, and the same examples on every machine."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

for library in ("OPENBLAS", "OMP", "MKL"):  # small matrices: threads would only wait for each other
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("RTHS_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "kernels"))

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("rths", unhurried, derandomize=True, database=None)
settings.register_profile("fuzz", unhurried, database=None, print_blob=True, max_examples=500)
settings.load_profile("rths")
# Else it also draws the constants of the modules that are loaded, which depend on the tests that
# ran before and on the directory that the package lies in.
providers.is_local_module_file = lambda path: False
