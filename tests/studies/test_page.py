"""The page and the command, with a small study of their own."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from rths.cli.main import app
from rths.studies import study as studies
from rths.studies.drawing import Figures, panels
from rths.studies.page import markup, value_text, write_page
from rths.studies.study import Paper, Study
from rths.studies.target import EXACT, Claim, Targets, Tolerance


def small(computed):
    said = Claim(
        "a claim & more",
        paper="1.0",
        target={"first": 1.0, "second": [1.0, "none"]},
        tolerance={"first": Tolerance(absolute=0.1), "second": EXACT},
        reason="a misprint",
    )
    targets, figures = Targets(claims={"X1": said}), Figures({"1": "a caption"})

    @targets.of("X1")
    def compute():
        return {"first": computed, "second": [1.0, "none"]}

    @figures.of("1")
    def draw():
        figure, axes = panels(1, 1, (3, 2))
        axes[0, 0].plot([0, 1], [0, 1])
        return figure

    texts = {k: (f"{k} <text>",) for k in ("says", "gives", "corrections", "missing")}
    return Study(Paper("small1900", "A small paper", "Nobody", **texts), targets, figures)


@pytest.fixture
def command(monkeypatch, tmp_path):
    """Run ``rths study`` with small studies in the place of the papers."""

    def run(*arguments, computed=1.0):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("rths.cli.study.study_names", lambda: ["small1900"])
        monkeypatch.setattr(studies, "study", lambda name: small(computed))
        return CliRunner().invoke(app, ["study", *arguments])

    return run


def test_the_page_has_texts_targets_reasons_and_pictures_in_one_file(tmp_path):
    made = small(1.05)
    page = write_page(made, made.run(), tmp_path)
    text = page.read_text(encoding="utf-8")
    for wanted in ("A small paper", "says &lt;text&gt;", "a claim &amp; more", "a misprint"):
        assert wanted in text
    assert "1 of 1 targets met" in text
    assert re.search(r'<img[^>]+src="data:image/png;base64,[\w+/]{1000}', text)
    assert not re.findall(r"""(?:src|href)=["'](?!data:)""", text)
    assert (tmp_path / "figure_1.png").stat().st_size > 1000


def test_the_page_names_what_was_missed(tmp_path):
    made = small(2.0)
    text = write_page(made, made.run(), tmp_path).read_text(encoding="utf-8")
    assert "0 of 1 targets met, not: X1" in text


def test_values_are_shown_in_words():
    assert value_text({"a": [1.0, True], "b": [[1, 2], [3, 4]]}) == "a: 1, yes; b: 1, 2 | 3, 4"
    assert value_text(3.14159265) == "3.14159"
    assert str(markup({"<a>": 1.0})) == '<span class="part">&lt;a&gt;:</span> 1'


def test_json_is_one_object_for_each_target_and_nothing_else(command, tmp_path):
    done = command("all", "--json")
    assert done.exit_code == 0
    (found,) = json.loads(done.stdout)
    assert list(found) == ["id", "claim", "paper", "target", "computed", "tolerance", "ok"]
    assert found["tolerance"] == {"first": "0.1", "second": "exact"}
    assert list(tmp_path.iterdir()) == []


def test_a_missed_target_is_an_exit_status(command):
    done = command("small1900", "--json", computed=2.0)
    assert done.exit_code == 1
    assert json.loads(done.stdout)[0]["ok"] is False


def test_without_json_there_is_a_table_and_a_page(command, tmp_path):
    done = command("small1900")
    assert done.exit_code == 0
    assert "1 of 1 targets met" in done.stdout
    assert (tmp_path / "runs/studies/small1900/index.html").exists()


def test_json_with_a_folder_keeps_stdout_clean(command, tmp_path):
    done = command("small1900", "--json", "--out", "pages")
    assert len(json.loads(done.stdout)) == 1
    assert (tmp_path / "pages/small1900/index.html").exists()
