"""A run's summary as a person reads it first: verdict, pace, peaks, tracking, guards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rths.loop.channel_name import name_actuator, split_channel
from rths.report.readable import readable_percent, readable_time, readable_value
from rths.report.timing import punctuality

SHORTEST = 1e-6
"""A delay that is told, s: a thousandth of a quick test's tick."""
WIDEST = 12
"""Columns of a signal up to which each has a line of its own."""


def summary_text(summary: Mapping[str, Any]) -> str:
    """Tell a summary in a few lines."""
    completed = summary["reason"] == "completed"
    verdict = "ran to its planned end" if completed else summary["message"]
    lines = [f"{summary['name']}: {verdict}"]
    lines += [error_text(e, len(summary["reference"])) for e in summary.get("reference", ())]
    lines += [pace_text(summary), "", *_peaks(summary["peaks"])]
    lines += [tracking_text(t, len(summary["tracking"])) for t in summary["tracking"]]
    lines += [estimate_text(e) for e in summary.get("estimates", ())]
    lines += [guard_text(w) for w in summary["warnings"]]
    lines += [sign_text(s, len(summary["tracking"])) for s in summary["signs"]]
    lines += summary.get("vibration", {}).get("lines", [])
    return "\n".join(lines)


def error_text(e: Mapping[str, Any], channels: int) -> str:
    """Tell how far a test is from what it should reproduce."""
    who = "error" if channels == 1 else f"error of {name_actuator(e['channel'])}"
    if e["error"] is None:
        return f"{who} against the emulated structure: not told ({e['problem']})"
    share = readable_percent(e["error"])
    return f"{who} against the emulated structure: {share} rms of its motion"


def pace_text(summary: Mapping[str, Any]) -> str:
    """Tell how long it took: off the clock how fast it was, on the clock how punctual."""
    tested, wall = readable_time(summary["time"]), readable_time(summary["wall_seconds"])
    timing = summary.get("timing")
    if timing is None:
        pace = float(f"{summary['real_time_factor']:.3g}")
        return f"{tested} of test in {wall} ({pace:,.15g} x real time)"
    told = punctuality(timing["counts"], timing["percentiles"])
    return f"{tested} of test on the clock, in {wall}: {told}"


def _peaks(peaks: list[dict[str, Any]]) -> Iterator[str]:
    """Give the table of smallest and largest values."""
    peaks = _join_wide(peaks)
    width = max((len(p["signal"]) for p in peaks), default=0)
    yield f"{'':{width}}  {'smallest':>12}  {'largest':>12}"
    for p in peaks:
        low, high = (
            readable_value(p["smallest"], p["unit"]),
            readable_value(p["largest"], p["unit"]),
        )
        yield f"{p['signal']:{width}}  {low:>12}  {high:>12}"
    yield ""


def _join_wide(peaks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make one line of a signal of many columns, such as the displacements of a frame."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for p in peaks:
        groups.setdefault(split_channel(p["signal"])[0], []).append(p)
    found = []
    for name, each in groups.items():
        if len(each) <= WIDEST:
            found += each
            continue
        low = min((p["smallest"] for p in each if p["smallest"] is not None), default=None)
        high = max((p["largest"] for p in each if p["largest"] is not None), default=None)
        joined = {"signal": f"{name}, all {len(each)}", "smallest": low, "largest": high}
        found.append({**each[0], **joined})
    return found


def tracking_text(t: Mapping[str, Any], channels: int) -> str:
    """Tell the tracking of a channel in a sentence."""
    who = "tracking" if channels == 1 else f"tracking of {name_actuator(t['channel'])}"
    if t["rms_error"] is None:
        return f"{who}: the target did not move"
    most = readable_value(t["largest_error"], "m", digits=3)
    parts = [f"error {readable_percent(t['rms_error'])} rms, at most {most}"]
    if t["delay"] is not None:
        parts.append(f"the specimen is {_lateness(t['delay'])} the target")
    return f"{who}: {'; '.join(parts)}"


def _lateness(delay: float) -> str:
    """Tell a delay; one that no clock of a test could show is none."""
    if abs(delay) < SHORTEST:
        return "in step with"
    way = "behind" if delay > 0 else "ahead of"
    return f"{readable_value(abs(delay), 's', digits=3)} {way}"


def estimate_text(e: Mapping[str, Any]) -> str:
    """Tell what a compensator has learnt: a value that it writes, at the start and at the end."""
    first, last = (readable_value(e[end], e["unit"]) for end in ("first", "last"))
    return f"{e['signal']}: {first} at the start, {last} at the end"


def guard_text(w: Mapping[str, Any]) -> str:
    """Tell what a guard did in a sentence."""
    what = "tripped" if w["tripped"] else "warned"
    far = "" if w["furthest"] is None else f", as far as {w['furthest']:.4g}"
    return f"guard {w['guard']} {what}: first at {w['first']:.4g} s, {w['samples']} sample(s){far}"


def sign_text(s: Mapping[str, Any], channels: int) -> str:
    """Tell a sign that the loop was about to be lost."""
    who = "warning" if channels == 1 else f"warning for {name_actuator(s['channel'])}"
    return f"{who}: {s['words']}"
