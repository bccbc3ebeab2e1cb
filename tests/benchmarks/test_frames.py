"""The bench of frames runs, and measures what it says."""

from benchmarks.frames import build, measure, tall_frame, time_opensees


def test_it_runs_on_small_frames_and_states_every_bar():
    found = measure(rounds=1, storeys=(2, 4))
    assert {"exponent of growth", "frame of Kolay and Ricles, µs a step"} < set(found["rows"])
    assert found["table"].count("degrees of freedom") == 2
    ratios = [row for name, row in found["rows"].items() if name.startswith("OpenSees")]
    assert len(ratios) == 2
    assert all(row["value"] is None or row["value"] > 0.0 for row in ratios)


def test_a_frame_of_some_storeys_has_three_degrees_of_freedom_at_each_joint():
    assert build(2).equation.size == 2 * 4 * 3
    assert len(tall_frame(2)["elements"]) == 2 * (4 + 3)


def test_opensees_is_timed_where_it_is_installed():
    spent = time_opensees(1, "KR-α")
    assert spent is None or spent > 0.0
