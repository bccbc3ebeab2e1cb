"""Templates: every one of them loads, runs, and says what it is."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER, template, templates
from rths.errors import InputError
from rths.run.virtual import simulate

ACTUATOR = "actuator"
PAPERS = ("carrion2006", "chen2010", "londono2011", "wallace2005", "wu2013")


def test_each_paper_has_its_rig_with_a_sentence_about_it():
    assert tuple(templates()) == (ACTUATOR, *PAPERS)
    assert all(len(sentence) > 40 for sentence in templates().values())


@pytest.mark.parametrize("name", [ACTUATOR, *PAPERS])
def test_a_second_of_it_runs_and_moves(name):
    test = load(FOLDER / f"{name}.toml", {"clock.duration": 0.992})  # whole steps of all of them
    record = simulate(test)
    assert record.stop.completed, record.stop
    assert abs(record["integrator.target"]).max() > 1e-9  # dampers of 120 kN hardly give way yet


@pytest.mark.parametrize("name", [ACTUATOR, *PAPERS])
def test_every_value_has_its_unit_beside_it(name):
    units = ("s", "m", "N", "Hz", "kg", "N/m", "N s/m", "ticks", "1/m²", "N (s/m)^alpha")
    text = template(name)
    for line in text.splitlines():
        key, equals, rest = line.partition("=")
        if key.strip() in ("tick", "duration", "delay", "frequency", "amplitude") and equals:
            assert rest.partition("#")[2].strip().split(",")[0].split(";")[0] in units, line


def test_an_unknown_template_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="wallace2005"):
        template("wallace2006")
