"""A record in a notebook and in other packages' tables."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.errors import InputError
from rths.loop.stop import Stop
from rths.records.record import Channel, Record


@pytest.fixture
def record():
    """Two signals of every tick, one of them with two columns, and one of every fourth."""
    rows = np.arange(32.0).reshape(8, 4)
    channels = {
        "excitation.signal": Channel("excitation.signal", "m/s²", 0.01, 0.0, 1, 0, slice(0, 1)),
        "transfer.displacement": Channel(
            "transfer.displacement", "m", 0.01, 0.0, 1, 0, slice(1, 3)
        ),
        "integrator.target": Channel("integrator.target", "m", 0.04, 0.0, 4, 0, slice(3, 4)),
    }
    return Record(
        "a <test>", 0.01, channels, rows, Stop("completed", 8, 0.08, "ran to its planned end")
    )


def test_every_column_has_its_label(record):
    labels = ("excitation.signal", "transfer.displacement[0]", "transfer.displacement[1]")
    assert record.labels() == (*labels, "integrator.target")


def test_a_notebook_shows_the_end_and_the_extremes(record):
    shown = record._repr_html_()
    assert "a &lt;test&gt;" in shown
    assert "<td>transfer.displacement[1]</td><td>2</td><td>30</td><td>m</td>" in shown


def test_it_becomes_a_frame_of_pandas_with_gaps_where_nothing_is_new(record):
    pytest.importorskip("pandas")
    frame = record.to_pandas()
    assert tuple(frame.columns) == record.labels()
    assert_array_equal(frame.index, 0.01 * np.arange(8))
    assert_array_equal(frame["excitation.signal"], record["excitation.signal"][:, 0])
    assert_array_equal(frame["integrator.target"].dropna(), record["integrator.target"][:, 0])


def test_it_becomes_a_dataset_of_xarray_with_units(record):
    pytest.importorskip("xarray")
    data = record.to_xarray()
    assert data["transfer.displacement"].attrs["units"] == "m"
    assert_array_equal(data["integrator.target"], record["integrator.target"][:, 0])
    assert_array_equal(data["transfer.displacement"], record["transfer.displacement"])


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("xarray", "to_xarray")])
def test_a_package_that_is_missing_is_named_with_its_remedy(record, monkeypatch, package, method):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"not installed. Install it: pip install {package}"):
        getattr(record, method)()


def test_a_plot_is_a_picture_that_a_notebook_shows(record):
    drawing = record.plot("transfer.displacement", "integrator.target")
    assert len(drawing.axes) == 2
    assert drawing._repr_png_().startswith(b"\x89PNG")
    assert len(record.plot().axes) == 2  # the usual ones that it has
