"""The report: one file, all pictures in it, nothing from elsewhere, and a browser agrees."""

from __future__ import annotations

import re
import subprocess
from base64 import b64decode
from html.parser import HTMLParser

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.report.figures import figures
from rths.report.page import label_runs, page, pictures, save_pictures
from rths.report.pdf import FLAGS, browser
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

VIRTUAL = {name for name, file in figures().items() if not hasattr(file, "SECTION")}
"""Pictures of a run off the clock."""
PROBE = """
<script>
const faults = [];
window.onerror = (message) => faults.push(message);
window.onload = () => {
  const images = [...document.images];
  const good = images.filter((i) => i.complete && i.naturalWidth > 0).length;
  document.title = `images ${good}/${images.length} faults ${faults.length}`;
};
</script>
"""


@pytest.fixture(scope="module")
def runs():
    late = {"compensator.kind": "none", "transfer.delay": 0.005, "clock.duration": 6.0}
    lost = {"compensator.kind": "none", "limits.compensator.command": 0.004}
    tests = {"compensated": {"clock.duration": 6.0}, "late": late, "lost <&>": lost}
    return label_runs({name: simulate(load(PLAN, changes)) for name, changes in tests.items()})


@pytest.fixture(scope="module")
def drawings(runs):
    return pictures(runs)


@pytest.fixture(scope="module")
def html(runs, drawings):
    return page(runs, drawings)


class Elements(HTMLParser):
    """Collects every element with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_every_picture_is_in_the_page_and_nothing_comes_from_elsewhere(html):
    images = [a for tag, a in Elements(html).found if tag == "img"]
    assert len(images) == len(VIRTUAL)
    for image in images:
        kind, _, data = (image["src"] or "").partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert b"</svg>" in b64decode(data)
        assert image["alt"]
    for tag, attributes in Elements(html).found:
        for name in ("src", "href", "srcset", "data"):
            assert (attributes.get(name) or "data:").startswith(("data:", "#")), (tag, name)
    assert not re.search(r"@import|url\(", html)


def test_the_page_tells_what_was_tested_and_how_each_record_ended(html):
    assert "Wallace rig" in html
    assert html.count("ran to its planned end") == 2
    assert "the command left its limits" in html
    assert "lost &lt;&amp;&gt;" in html
    assert "lost <&>" not in html
    assert "polynomial: delay 9.4 ms, order 3" in html
    assert "mass 2.2 kg, stiffness 2.25 kN/m" in html
    assert "[[" not in html.partition("Plan of ")[0]
    assert "critical delay with an ideal actuator 6.76" in html


def test_pictures_are_written_as_files_too(drawings, tmp_path):
    files = save_pictures(drawings[:1], tmp_path / "figures")
    assert sorted(f.suffix for f in files) == [".pdf", ".png", ".svg"]
    assert files[0].read_bytes().startswith(b"\x89PNG")


def test_two_channels_and_a_test_of_one_second_can_be_reported():
    record = simulate(load(FOLDER / "chen2010.toml", {"clock.duration": 1.0}))
    runs = label_runs({"chen": record})
    text = page(runs, pictures(runs))
    assert "tracking error, channel 0" in text
    assert "tracking error, channel 1" in text


def test_a_run_of_a_few_ticks_does_not_break_the_report():
    record = simulate(load(PLAN, {"clock.duration": 0.005}))
    runs = label_runs({"short": record})
    assert "ran to its planned end" in page(runs, pictures(runs))


@pytest.mark.skipif(browser() is None, reason="Chromium is not installed")
def test_chromium_opens_the_page_without_an_error_and_with_all_pictures(html, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(html.replace("</head>", f"{PROBE}</head>"), encoding="utf-8")
    done = subprocess.run(
        [
            str(browser()), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr", "--v=0", "--virtual-time-budget=10000", "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    assert title is not None
    assert title[1] == f"images {len(VIRTUAL)}/{len(VIRTUAL)} faults 0"
    assert not re.search(r"CONSOLE.*(error|uncaught|failed)", done.stderr, re.IGNORECASE)
