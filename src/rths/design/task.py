"""What a worker of a cluster needs to know of a design: plan, files, commission and versions.

As the job of a sweep it crosses any wire and needs no shared file: plan and files are put into a
folder of the worker's own, and who has other versions is turned away at the door.
"""

from __future__ import annotations

import hashlib
import pickle
import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files, rebuild_test
from rths.config.plan import dumps
from rths.design.workbench import Commission, Workbench
from rths.sweep.job import check_versions, versions_here
from rths.trust import grant_trust

_open: dict[str, Workbench] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class Task:
    """A design as it is sent to a worker."""

    plan: str
    files: Mapping[str, bytes]
    commission: Commission
    versions: Mapping[str, str]

    @property
    def key(self) -> str:
        """Digest of all that decides the answer."""
        h = hashlib.sha256(self.plan.encode() + repr(self.commission).encode())
        for name, content in sorted(self.files.items()):
            h.update(name.encode() + hashlib.sha256(content).digest())
        return h.hexdigest()


def make_task(test: HybridTest, commission: Commission) -> Task:
    """Make the task of a design."""
    return Task(dumps(test), attached_files(test), commission, versions_here())


def work_on(task: Task, part: str, packed: bytes) -> Any:
    """Do one part of a task, as ``tune``; the bench of a process is built once.

    What is given comes packed: blocks of the user's own are known once the bench is built.
    """
    with _lock:
        if task.key not in _open:
            check_versions(task.versions)
            folder = Path(tempfile.mkdtemp(prefix="rths-design-"))
            # what was trusted where the task was made; this machine does not remember it
            with grant_trust(True, remember=False):
                bench = Workbench(rebuild_test(task.plan, task.files, folder), task.commission)
            weakref.finalize(bench, shutil.rmtree, folder, ignore_errors=True)
            _open.clear()
            _open[task.key] = bench
        bench = _open[task.key]
    return getattr(bench, part)(*pickle.loads(packed))
