"""What all tests share: one cache of compiled kernels, and no deadlines."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

for library in ("OPENBLAS", "OMP", "MKL"):  # small matrices: threads would only wait for each other
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("RTHS_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "kernels"))
settings.register_profile("rths", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rths")
