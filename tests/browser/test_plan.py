"""A plan in a real browser: form, slider, verdict, errors at the field, saving."""

from __future__ import annotations

import pytest

from tests.browser.chromium import START
from tests.browser.conftest import WALLACE

pytestmark = pytest.mark.slow

SHOWN = "!!document.getElementById('plan-results').dataset.serial"
WORD = "document.getElementById('verdict-word').textContent"


@pytest.fixture
def page(lab, browser):
    opened = browser.open(lab.serve("plan.toml"))
    opened.wait(SHOWN, START)
    return opened


def field(name):
    return f"[data-field='{name}'] input:not([type=range])"


def test_a_plan_is_judged_as_soon_as_it_is_opened(page):
    page.wait(f"{WORD} === 'proved stable'", START)
    page.wait("document.querySelectorAll('#margins tbody tr').length > 3", START)
    assert "7.359 ms" in page.text("#margins")  # what rths certify says in the README
    assert "0.196\t10.7" in page.text("#modes")
    page.wait("document.getElementById('chart-told').textContent.startsWith('The dot')", START)
    assert page.errors == []


def test_a_slider_moves_verdict_and_rehearsal(page):
    page.slide("[data-field='compensator.delay'] input[type=range]", 0.0)
    page.wait(f"{WORD} === 'unstable'", START)
    page.wait("document.getElementById('rehearsal-told').textContent.includes('left its limits')")
    page.slide("[data-field='compensator.delay'] input[type=range]", 0.0094)
    page.wait(f"{WORD} === 'proved stable'", START)
    assert page.errors == []


def test_what_is_wrong_is_said_at_its_field(page):
    page.type(field("compensator.delay"), "15")
    page.wait("!!document.querySelector(\"[data-field='compensator.delay'].is-wrong .wrong\")")
    assert "0.015" in page.text("[data-field='compensator.delay'] .wrong")
    assert page.run("document.getElementById('plan-save').disabled")
    page.type(field("compensator.delay"), "0.0094")
    page.wait("!document.querySelector('.is-wrong')")


def test_another_kind_has_its_own_fields(page):
    page.run(
        "(() => { const s = document.querySelector(\"[data-field='compensator.kind'] select\");"
        " s.value = 'none'; s.dispatchEvent(new Event('change')); })()"
    )
    page.wait(f"{WORD} === 'unstable'", START)
    page.wait("!document.querySelector(\"[data-field='compensator.delay']\")")
    page.click("#plan-undo")
    page.wait(f"{WORD} === 'proved stable'", START)
    page.wait("!!document.querySelector(\"[data-field='compensator.delay']\")")


def test_saving_keeps_comments_and_layout(lab, page):
    before = lab.plan.read_text()
    page.type(field("transfer.delay"), "0.009")
    page.wait("!document.getElementById('plan-save').disabled")
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    after = lab.plan.read_text()
    differs = [
        (a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b
    ]
    assert [(a.split(), b.split()) for a, b in differs] == [
        (["delay", "=", "0.0094", "#", "s"], ["delay", "=", "0.009", "#", "s"])
    ]


SETTLED = "document.getElementById('plan-results').getAttribute('aria-busy') === 'false'"
SLIDE = """(() => { const f = document.querySelector("[data-field='%s'] input[type=range]");
  f.value = %g; f.dispatchEvent(new Event('input', { bubbles: true })); })()"""


def test_what_was_changed_a_moment_before_is_saved_too(lab, page):
    slides = [SLIDE % ("transfer.delay", delay) for delay in (0.009, 0.0091, 0.0092)]
    page.type(field("transfer.delay"), "0.0085")
    page.wait("!document.getElementById('plan-save').disabled")
    page.run("; ".join([*slides, "document.getElementById('plan-save').click()"]))
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    assert "delay = 0.0092 " in lab.plan.read_text()
    assert page.run("document.getElementById('plan-save').disabled")
    page.type(field("transfer.delay"), "0.0093")
    page.wait("!document.getElementById('plan-save').disabled")
    assert page.text("#plan-told") == ""  # no longer


def test_undo_takes_back_what_is_still_on_its_way(lab, page):
    page.type(field("transfer.delay"), "0.009")
    # Undo is offered with the answer before; then this would be still on its way itself.
    page.wait(f"!document.getElementById('plan-undo').disabled && {SETTLED}")
    slides = [SLIDE % ("transfer.delay", delay) for delay in (0.001, 0.002)]
    page.run("; ".join([*slides, "document.getElementById('plan-undo').click()"]))
    page.wait(SETTLED)
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    assert "delay = 0.009 " in lab.plan.read_text()
    assert page.run(f"document.querySelector({field('transfer.delay')!r}).value") == "0.009"


def test_changes_of_one_plan_never_get_into_another(lab, page):
    other = lab.folder / "other.toml"
    other.write_text(lab.plan.read_text().replace("Wallace rig", "Other rig"))
    slides = [SLIDE % ("transfer.delay", delay) for delay in (0.001, 0.002)]
    hold = "location.hash = '#plan/other.toml'"
    later = [SLIDE % ("transfer.delay", delay) for delay in (0.003, 0.004)]
    page.run("; ".join([*slides, hold, *later]))
    page.wait("document.getElementById('plan-title').textContent === 'Other rig'")
    page.wait(SETTLED)
    page.type(field("specimen.stiffness"), "2200")
    page.wait("!document.getElementById('plan-save').disabled")
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    kept = other.read_text()
    assert 'name = "Other rig"' in kept
    assert kept.count("delay = 0.0094 ") == 2
    assert "stiffness = 2200 " in kept


@pytest.mark.parametrize("number", ["1e999", "Infinity", "nan"])
def test_what_is_no_number_is_wrong_at_its_field_and_takes_nothing_away(lab, page, number):
    before = lab.plan.read_text()
    page.type(field("compensator.delay"), number)
    page.wait("!!document.querySelector(\"[data-field='compensator.delay'].is-wrong .wrong\")")
    assert page.run("document.getElementById('plan-save').disabled")
    page.type(field("compensator.delay"), "0.0094")  # the field is still there
    page.wait("!document.querySelector('.is-wrong')")
    assert lab.plan.read_text() == before


def test_a_number_is_shown_as_it_was_understood(page):
    page.type(field("compensator.delay"), " 0,0094 ")
    assert page.run(f"document.querySelector({field('compensator.delay')!r}).value") == "0.0094"


def test_a_plan_that_somebody_else_has_changed_is_not_overwritten(lab, page):
    lab.plan.write_text(lab.plan.read_text() + "# mine\n")
    page.type(field("transfer.delay"), "0.009")
    page.wait("!document.getElementById('plan-save').disabled")
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent.includes('somebody else')")
    assert lab.plan.read_text().endswith("# mine\n")
    assert "0.0094" in lab.plan.read_text()


def test_a_plan_is_saved_under_another_name_and_never_over_another_plan(lab, page):
    before = lab.plan.read_text()
    page.type(field("transfer.delay"), "0.009")
    page.wait("!document.getElementById('plan-save').disabled")
    page.type("#plan-name", "live")
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent.includes('is there already')")
    page.type("#plan-name", "later <b>")
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    assert "0.009 " in (lab.folder / "later <b>.toml").read_text()
    assert lab.plan.read_text() == before
    assert page.run("document.getElementById('plan-file').value") == "later <b>.toml"
    page.reload()
    page.wait("document.getElementById('plan-name').value === 'later <b>.toml'")
    assert [e for e in page.errors if "400" not in e] == []


def test_a_table_that_is_missing_is_put_into_the_plan(lab, page):
    page.run(
        "(() => { const s = document.getElementById('plan-add'); s.value = 'safety';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    page.wait("!!document.querySelector(\"[data-field='safety.rate'].is-wrong\")")
    page.type(field("safety.rate"), "0.05")
    page.wait(
        "!document.querySelector('.is-wrong') && !document.getElementById('plan-save').disabled"
    )
    page.click("#plan-save")
    page.wait("document.getElementById('plan-told').textContent === 'Saved.'")
    assert lab.plan.read_text().endswith("[safety]\nrate = 0.05\n")


def test_every_actuator_has_its_own_rehearsal(lab, browser):
    text = WALLACE.with_name("chen2010.toml").read_text()
    (lab.folder / "two.toml").write_text(text)
    page = browser.open(lab.serve("two.toml"))
    page.wait("!document.getElementById('plan-channel').hidden", START)
    first = page.text("#indices")
    page.run(
        "(() => { const s = document.getElementById('plan-channel'); s.value = '1';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    assert page.text("#indices") != first
    assert page.errors == []
