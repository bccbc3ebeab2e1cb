"""The process that computes: asked again and again, and replaced if it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal

from rths.cockpit.calculator import Calculator


def test_questions_are_answered_in_turn_and_a_process_that_is_killed_is_replaced(tmp_path):
    (tmp_path / "numpy.py").write_text("open('executed', 'w').close()\n")  # not to be imported

    async def converse():
        calculator = Calculator()
        given = {"folder": str(tmp_path), "text": "a = 1\n", "path": "a"}
        asked = [calculator.ask("change", value=v, **given) for v in (2, 3)]
        told = [json.loads(t) for t in await asyncio.gather(*asked)]
        assert [t["text"] for t in told] == ["a = 2\n", "a = 3\n"]
        os.kill(calculator._process.pid, signal.SIGKILL)
        await calculator._process.wait()
        again = json.loads(await calculator.ask("change", value=4, **given))
        assert again["text"] == "a = 4\n"
        unknown = json.loads(await calculator.ask("explode"))
        assert not unknown["ok"]
        await calculator.close()

    asyncio.run(converse())
    assert not (tmp_path / "executed").exists()


def test_an_answer_that_does_not_come_is_given_up(tmp_path):
    async def converse():
        calculator = Calculator(patience=1e-3)
        told = json.loads(await calculator.ask("form", text="a = 1\n"))
        assert not told["ok"]
        assert "not calculated within" in told["errors"][0]["problem"]
        assert calculator._process is None

    asyncio.run(converse())


def test_whoever_goes_before_the_answer_leaves_the_process_to_the_others(tmp_path):
    async def converse():
        calculator = Calculator()
        given = {"folder": str(tmp_path), "text": "a = 1\n", "path": "a"}
        await calculator.ask("change", value=1, **given)
        process = calculator._process.pid
        asked = [asyncio.create_task(calculator.ask("change", value=v, **given)) for v in range(4)]
        await asyncio.sleep(0)
        for task in asked[:3]:  # one that is being answered, and two that wait
            task.cancel()
        told = json.loads(await asked[3])
        assert told["text"] == "a = 3\n"
        assert calculator._process.pid == process
        await calculator.close()

    asyncio.run(converse())
