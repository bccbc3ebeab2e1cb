"""What is fed to the readers of the package, and how: a way to a mutated file for each reader.

A target makes its good files once, changes one at random, and reads it as a command would. The
folder ``treasure`` beside it holds what must not be touched, and programs that must not run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.mutation import mutate_bytes, mutate_hdf5, mutate_text

PROGRAM = """
from pathlib import Path
Path({mark!r}).write_text("executed")
from rths.specimen.spring import Spring
class Mine(Spring):
    pass
"""
SIGNALS = ["integrator.target", "compensator.command", "transfer.displacement", "feedback.force"]
CHANGES = {"clock.duration": 0.03, "clock.tick": 0.001, "record.signals": SIGNALS}
JOURNAL = ("journal", "status.json", "events.json", "timing.json", "machine.json", "plan.toml")


@dataclass
class Target:
    """One kind of file: good ones, and how a mutated one is read."""

    folder: Path
    good: dict[str, bytes] = field(default_factory=dict)

    @property
    def treasure(self) -> Path:
        """What must stay as it is."""
        return self.folder / "treasure"

    @property
    def desk(self) -> Path:
        """Where the mutated file lies."""
        return self.folder / "desk"

    @property
    def mark(self) -> Path:
        """What a program that runs leaves behind."""
        return self.folder / "executed"

    def prepare(self) -> None:
        """Make the folders and the good files."""
        self.treasure.mkdir(parents=True)
        self.desk.mkdir()
        (self.treasure / "keep.txt").write_bytes(b"thesis\n" * 2000)
        (self.treasure / "mine.py").write_text(PROGRAM.format(mark=str(self.mark)))
        self.make()

    def make(self) -> None:
        """Make the good files."""
        raise NotImplementedError

    def try_one(self, random: Random) -> None:
        """Change one of the good files, and read it."""
        raise NotImplementedError


def plan_text(own: str | None = None) -> str:
    """Give a small plan; ``own`` is a specimen of one's own."""
    from rths.config.plan import dumps, load
    from rths.studies.wallace2005.three_ways import PLAN

    text = dumps(load(PLAN, {**CHANGES, "safety": {"rate": 0.05}}))
    return (
        text.replace('[specimen]\nkind = "spring"', f'[specimen]\nkind = "{own}"') if own else text
    )


class Plans(Target):
    """Plans, read as every command reads them."""

    def make(self) -> None:
        """Take a small plan, every template, and one with a program."""
        import rths
        from rths.config import templates

        places = [*Path(templates.__path__[0]).glob("*.toml")]
        places += [*(Path(rths.__file__).parent / "studies").rglob("*.toml")]
        plans = [p for p in places if "[clock]" in p.read_text("utf-8")]
        self.good = {str(p): p.read_bytes() for p in plans}
        self.good["small"] = plan_text().encode()
        self.good["own"] = plan_text("../treasure/mine.py:Mine").encode()

    def try_one(self, random: Random) -> None:
        """Read a mutated plan, and lay out its loop."""
        from rths.config.plan import load

        path = self.desk / "plan.toml"
        path.write_bytes(mutate_text(self.good[random.choice(sorted(self.good))], random))
        load(path)


class Motions(Target):
    """Ground motions in every format."""

    def make(self) -> None:
        """Write a short motion in every format."""
        import h5py
        from scipy.io import savemat

        t, a = 0.01 * np.arange(60), np.sin(np.arange(60.0))
        rows = "".join(f"{x:.2f},{y:.6f}\n" for x, y in zip(t, a, strict=True))
        self.good["a.csv"] = ("time_s,acceleration_g\n" + rows).encode()
        numbers = "".join(f"{v:15.6E}" + "\n" * (k % 5 == 4) for k, v in enumerate(a))
        head = "PEER\nnowhere\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  60, DT= .0100 SEC\n"
        self.good["a.at2"] = (head + numbers).encode()
        self.good["a.v2"] = _cosmos(a).encode()
        savemat(self.desk / "a.mat", {"time_s": t, "acceleration_g": a})
        savemat(self.desk / "c.mat", {"time_s": t, "acceleration_g": a}, do_compression=True)
        with h5py.File(self.desk / "h.mat", "w") as file:
            file["time_s"], file["acceleration_g"] = t[None], a[None]
        for name in ("a.mat", "c.mat", "h.mat"):
            self.good[name] = (self.desk / name).read_bytes()

    def try_one(self, random: Random) -> None:
        """Read a mutated motion."""
        from rths.motions.motion import read_motion

        name = random.choice(sorted(self.good))
        path = self.desk / name
        mutate = mutate_bytes if name.endswith(".mat") else mutate_text
        if name == "h.mat" and random.random() < 0.6:
            path.write_bytes(self.good[name])
            mutate_hdf5(path, random)
        else:
            path.write_bytes(mutate(self.good[name], random))
        read_motion(path)


class Matrices(Target):
    """Matrices of finite-element programs in every format."""

    def make(self) -> None:
        """Write a small stiffness in every format, full and sparse."""
        import h5py
        from scipy import io, sparse

        A = np.diag(np.full(6, 2000.0)) - np.diag(np.full(5, 1000.0), 1)
        A, d = (A + A.T) / 2, self.desk
        thin = sparse.csc_matrix(A)
        np.save(d / "a.npy", A)
        np.savez(d / "a.npz", K=A)
        np.savez_compressed(d / "c.npz", K=A)
        sparse.save_npz(d / "s.npz", thin)
        np.savetxt(d / "a.csv", A, delimiter=",")
        io.savemat(d / "a.mat", {"K": A})
        io.savemat(d / "s.mat", {"K": thin}, do_compression=True)
        io.mmwrite(d / "a.mtx", A)
        io.mmwrite(d / "s.mtx", sparse.coo_matrix(A))
        with h5py.File(d / "h.mat", "w") as file:
            file["K"] = A
        with h5py.File(d / "t.mat", "w") as file:
            group = file.create_group("K")
            group.attrs["MATLAB_sparse"] = np.uint64(6)
            group["jc"], group["ir"], group["data"] = thin.indptr, thin.indices, thin.data
        self.good = {p.name: p.read_bytes() for p in sorted(d.iterdir())}

    def try_one(self, random: Random) -> None:
        """Read a mutated matrix."""
        from rths.matrices.read import read_matrix
        from rths.matrices.symmetric import make_symmetric

        name = random.choice(sorted(self.good))
        path = self.desk / name
        mutate = mutate_text if path.suffix in (".csv", ".mtx") else mutate_bytes
        if name in ("h.mat", "t.mat") and random.random() < 0.6:
            path.write_bytes(self.good[name])
            mutate_hdf5(path, random)
        else:
            path.write_bytes(mutate(self.good[name], random))
        wanted = f"{path}:K" if name in ("a.mat", "h.mat", "t.mat", "a.npz") else str(path)
        make_symmetric("structure.stiffness", wanted, read_matrix("structure.stiffness", wanted))


def _cosmos(a: np.ndarray) -> str:
    real = np.full(100, -999.0)
    real[33], real[61] = 0.01, 10.0
    lines = ["Corrected acceleration    (Format v01.20 with 13 text lines)"]
    lines += [" 100 Real-header values follow on  20 lines, Format= (5F15.6)"]
    lines += ["".join(f"{v:15.6f}" for v in real[k : k + 5]) for k in range(0, 100, 5)]
    lines += ["   60 acceleration pts, approx  1 secs, units=cm/sec2(04),Format=(8F10.3)"]
    lines += ["".join(f"{v:10.3f}" for v in a[k : k + 8]) for k in range(0, 60, 8)]
    return "\n".join([*lines, "End-of-data for Chan  1 acceleration", ""])


class Records(Target):
    """Records, read as a report and a repetition read them."""

    def make(self) -> None:
        """Make a rehearsed record, one with a program and a live one cut off."""
        from dataclasses import replace

        from rths.config.plan import load
        from rths.records.hdf5 import read, write
        from rths.run.virtual import rehearse

        plan = self.desk / "good.toml"
        plan.write_text(plan_text(), "utf-8")
        path = self.desk / "good.h5"
        rehearse(load(plan), path)
        record = read(path)
        own = {"specimen.kind": (self.treasure / "mine.py").read_bytes()}
        text = plan_text("../../treasure/new.py:Mine")
        write(replace(record, plan=text, files=own), self.desk / "own.h5")
        for name in ("good.h5", "own.h5"):
            self.good[name] = (self.desk / name).read_bytes()
        self.good["cut.h5"] = self.good["good.h5"][:-3000]

    def try_one(self, random: Random) -> None:
        """Read a mutated record; verify it, or build its test, now and then."""
        from rths.records.hdf5 import read
        from rths.records.verification import verify
        from rths.report.shown_run import ShownRun

        name = random.choice(sorted(self.good))
        path = self.desk / "record.h5"
        path.write_bytes(self.good[name])
        if name != "cut.h5" and random.random() < 0.7:
            mutate_hdf5(path, random)
        if random.random() < 0.4:
            path.write_bytes(mutate_bytes(path.read_bytes(), random))
        if random.random() < 0.3:
            verify(path)
        record = read(path)
        if random.random() < 0.3:
            ShownRun("", record).test  # noqa: B018 - built on demand


class Journals(Target):
    """Directories of runs that were cut off, as recovery reads them."""

    def make(self) -> None:
        """Write the directory of a live run that was cut off."""
        from rths.config.plan import load
        from rths.records.timing import ROW_HEADER
        from rths.run.virtual import simulate

        plan = self.desk / "plan.toml"
        plan.write_text(plan_text(), "utf-8")
        test = load(plan)
        rows = simulate(test, live=True).rows
        head = np.column_stack([np.arange(len(rows)), np.full((len(rows), 2), 1e4)])
        ring = str(self.treasure / "keep.txt")
        about = {"name": test.name, "tick": test.tick, "width": len(ROW_HEADER) + rows.shape[1]}
        first = json.dumps({**about, "ring": ring}).encode() + b"\n"
        self.good["journal"] = first + np.hstack([head, rows]).tobytes()
        self.good["plan.toml"] = plan_text().encode()
        event = {"time": "2026-01-01T00:00:00", "state": "running", "reason": "x", "tick": 3}
        self.good["events.json"] = json.dumps([event, event]).encode()
        self.good["machine.json"] = b'[{"granted": true, "words": "memory locked"}]'
        self.good["timing.json"] = b'{"slips": 3, "lost": 0}'
        self.good["status.json"] = b'{"done": 30, "reason": "asked", "stop": null}'

    def try_one(self, random: Random) -> None:
        """Make the record of a directory in which one file is mutated."""
        from rths.realtime.recovery import recover

        shutil.rmtree(self.desk)
        self.desk.mkdir()
        chosen = random.choices(JOURNAL, (8, 2, 2, 1, 1, 1))[0]
        for name, content in self.good.items():
            if name == chosen:
                line, end, rest = content.partition(b"\n")
                head = name == "journal" and random.random() < 0.6
                mutate = mutate_bytes if name == "journal" else mutate_text
                content = (
                    mutate_text(line, random) + end + rest if head else mutate(content, random)
                )
            (self.desk / name).write_bytes(content)
        recover(self.desk)


TARGETS: dict[str, Callable[[Path], Target]] = {
    "plans": Plans,
    "motions": Motions,
    "matrices": Matrices,
    "records": Records,
    "journals": Journals,
}
"""What can be fed, by name."""
