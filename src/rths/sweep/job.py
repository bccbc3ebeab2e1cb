"""What a worker needs to know of a study: plan, files, own blocks, design, outcomes and versions.

A job is a few kilobytes of data and crosses any wire. The machine that takes it needs no file of
ours: plan and files are put into a folder of its own, programs among them are those whose content
was trusted where the job was made, and are known by their digests. Who has another version of what
decides the numbers is turned away at the door.
"""

from __future__ import annotations

import hashlib
import os
import platform
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rths.config.attachments import attached_files
from rths.config.plan import dumps
from rths.errors import InputError
from rths.loop.machine_code import store
from rths.records.versions import package_versions
from rths.sweep.field_path import FieldPath
from rths.sweep.outcome import Wanted
from rths.sweep.points.base import Design
from rths.sweep.study import Study

COMPILING = 300.0
"""Seconds that one process waits for another to compile: that one may have been stopped."""


@dataclass(frozen=True)
class Job:
    """A study as it is sent to a worker."""

    plan: str
    files: Mapping[str, bytes]
    design: Design
    wanted: Wanted
    paths: Mapping[str, FieldPath]
    batch: int
    columns: tuple[str, ...]
    """Outcomes of a run."""
    versions: Mapping[str, str]

    @property
    def key(self) -> str:
        """Digest of all that decides the results."""
        h = hashlib.sha256(self.plan.encode())
        for name, content in sorted(self.files.items()):
            h.update(name.encode() + hashlib.sha256(content).digest())
        parts = (self.design, self.wanted, sorted(self.paths), self.batch, self.columns)
        h.update(repr(parts).encode())
        return h.hexdigest()


def make_job(study: Study, columns: tuple[str, ...]) -> Job:
    """Make the job of a study."""
    return Job(
        dumps(study.test),
        attached_files(study.test),
        study.design,
        study.wanted,
        dict(study.paths),
        study.batch,
        columns,
        versions_here(),
    )


@cache
def versions_here() -> dict[str, str]:
    """Give the versions of what decides the numbers; of this package the digest of its sources."""
    known = package_versions()
    folder = Path(__file__).parents[1]  # of the package
    h = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        h.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    series = ".".join(platform.python_version_tuple()[:2])
    return {
        **{name: known[name] for name in ("rths", "numpy", "numba")},
        "python": series,
        "sources": h.hexdigest()[:16],
    }


class OtherVersionsError(InputError):
    """A worker has other versions than those that decide the numbers of a job."""


def check_versions(wanted: Mapping[str, str]) -> None:
    """Turn a worker away whose numbers might be others."""
    here = versions_here()
    other = [f"{k} {here.get(k)} instead of {v}" for k, v in wanted.items() if here.get(k) != v]
    if other:
        problem = f"has {', '.join(other)}"
        raise OtherVersionsError(
            "worker", socket.gethostname(), problem, "Install the same versions."
        )


@contextmanager
def hold_store() -> Iterator[None]:
    """Let one process of a machine compile at a time: the others then find what it has made.

    Who has waited for long compiles for itself.
    """
    import fcntl

    try:
        file = os.open(store() / ".compiling", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:  # a store that cannot be written: each compiles for itself
        yield
        return
    try:
        end = time.monotonic() + COMPILING
        while time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(0.05)
        yield
    finally:
        os.close(file)
