"""A record as a notebook shows it: how it ended, and the extremes of every column."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rths.records.record import Record


def record_html(record: Record) -> str:
    """Write the table of a record."""
    units = [u for c in record.channels.values() for u in c.units]
    low = record.rows.min(axis=0) if len(record.rows) else np.full(len(units), np.nan)
    high = record.rows.max(axis=0) if len(record.rows) else np.full(len(units), np.nan)
    body = "".join(
        f"<tr><td>{escape(name)}</td><td>{a:.4g}</td><td>{b:.4g}</td><td>{escape(unit)}</td></tr>"
        for name, a, b, unit in zip(record.labels(), low, high, units, strict=True)
    )
    head = "<tr><th>signal</th><th>smallest</th><th>largest</th><th>unit</th></tr>"
    title = f"<b>{escape(record.name)}</b>: {escape(str(record.stop))}"
    return f"<p>{title}; a tick of {record.tick:.6g} s</p><table>{head}{body}</table>"
