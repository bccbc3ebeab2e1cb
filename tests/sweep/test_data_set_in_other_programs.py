"""Other programs read the folder of results, each by the line that the docs have for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rths.sweep import data_set
from rths.sweep.results import Results
from rths.sweep.sweep import sweep

DOCS = Path(__file__).parents[2] / "docs" / "howto" / "sweep-a-plan.md"


@pytest.fixture(params=["pandas", "polars"])
def read(request, tmp_path, monkeypatch):
    """Run the line of the docs in the folder that holds runs/study."""
    name = request.param
    library = pytest.importorskip(name, reason=f"{name} is not installed here")
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    (line,) = (text for text in lines if text.startswith(f"frame = {name}."))
    monkeypatch.chdir(tmp_path)

    def run_line():
        known = {name: library}
        exec(line, known)
        return known["frame"]

    return run_line


@pytest.fixture
def varied(tables, monkeypatch):
    """Nine parts, with words and with runs that are refused and have no peak."""
    monkeypatch.setattr(data_set, "ROWS_OF_PART", 7)
    tables["variable"][1] = {"field": "specimen.stiffness", "values": [900.0, 950.0, -1.0]}
    tables["variable"].append({"field": "compensator.kind", "values": ["polynomial", "none"]})
    return tables


def test_a_whole_sweep_is_read_by_one_line(read, varied):
    found = sweep(varied, "runs/study", workers=1)
    assert len(found.files) > 1
    frame = read()
    order = np.argsort(np.asarray(frame["run"]))
    for name in ("run", "transfer.delay", "compensator.kind", "end"):
        assert np.asarray(frame[name])[order].tolist() == found[name].tolist()
    peaks = found["peak.compensator.command"]
    assert 0 < np.isnan(peaks).sum() < 60
    assert frame["peak.compensator.command"].mean() == pytest.approx(np.nanmean(peaks), rel=1e-12)


def test_what_a_kill_has_left_half_written_is_not_read(read, varied, monkeypatch):
    import pyarrow.parquet as pq

    whole = pq.write_table

    def die(table, file, **more):
        if "000002" in file.name:
            file.write(b"half")
            raise KeyboardInterrupt
        whole(table, file, **more)

    monkeypatch.setattr(pq, "write_table", die)
    with pytest.raises(KeyboardInterrupt):
        sweep(varied, "runs/study", workers=1)
    assert list(Path("runs/study").rglob("*.part"))
    assert len(read()) == len(Results(Path("runs/study"))["run"]) == 14
