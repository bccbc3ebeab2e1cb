from __future__ import annotations

from numpy.testing import assert_allclose

from rths.excitation.displacement_history import DisplacementHistory


def test_it_is_the_command_of_an_actuator_unless_said_otherwise(signal):
    history = DisplacementHistory(values=(0.0, 0.004, 0.0), step=0.1)
    assert history.acting == "command"
    assert_allclose(signal(history, 0.05, 5)[:, 0], [0, 0.002, 0.004, 0.002, 0])


def test_a_file_is_read_in_its_unit_of_length(signal, tmp_path):
    file = tmp_path / "protocol.csv"
    file.write_text("time [s],displacement [mm]\n0,0\n0.1,5\n0.2,-5\n0.3,0\n")
    e = signal(DisplacementHistory(file=str(file)), 0.1, 4)
    assert_allclose(e[:, 0], [0, 0.005, -0.005, 0])
