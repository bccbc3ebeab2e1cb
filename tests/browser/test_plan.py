"""A plan in a real browser: form, slider, verdict, errors at the field, saving."""

from __future__ import annotations

import pytest

from tests.browser.conftest import WALLACE

pytestmark = pytest.mark.slow

JUDGED = "document.getElementById('verdict-word').textContent !== '–'"
WORD = "document.getElementById('verdict-word').textContent"


@pytest.fixture
def page(lab, browser):
    opened = browser.open(lab.serve("plan.toml"))
    opened.wait(JUDGED, 120)
    return opened


def field(name):
    return f"[data-field='{name}'] input:not([type=range])"


def test_a_plan_is_judged_as_soon_as_it_is_opened(page):
    assert page.text("#verdict-word") == "proved stable"
    page.wait("document.querySelectorAll('#margins tbody tr').length > 3", 60)
    assert "7.359 ms" in page.text("#margins")  # what rths certify says in the README
    assert "0.196\t10.7" in page.text("#modes")
    page.wait("document.getElementById('chart-told').textContent.startsWith('The dot')", 60)
    assert page.errors == []


def test_a_slider_moves_verdict_and_rehearsal(page):
    page.slide("[data-field='compensator.delay'] input[type=range]", 0.0)
    page.wait(f"{WORD} === 'unstable'")
    page.wait("document.getElementById('rehearsal-told').textContent.includes('left its limits')")
    page.slide("[data-field='compensator.delay'] input[type=range]", 0.0094)
    page.wait(f"{WORD} === 'proved stable'")
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
    page.wait(f"{WORD} === 'unstable'")
    page.wait("!document.querySelector(\"[data-field='compensator.delay']\")")
    page.click("#plan-undo")
    page.wait(f"{WORD} === 'proved stable'")
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
    page.wait("!document.getElementById('plan-channel').hidden", 90)
    first = page.text("#indices")
    page.run(
        "(() => { const s = document.getElementById('plan-channel'); s.value = '1';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    assert page.text("#indices") != first
    assert page.errors == []
