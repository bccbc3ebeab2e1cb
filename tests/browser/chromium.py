"""A browser for tests: Chromium without a screen, driven by the DevTools protocol.

Pages are judged by what they show. Where there is no Chromium the tests are skipped.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
KEYS = {"Enter": 13, "Tab": 9, " ": 32}
"""Numbers of keys that do something of themselves."""
PATIENCE = 120.0
"""Seconds that a page may take to show something on a machine that is overloaded."""
START = 300.0
"""Seconds that the processes behind a page may take to begin there."""
STILL = 0.04
"""Seconds for which an element stays where it is before it is clicked."""


def find_chromium() -> str | None:
    """Give the program, None if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One Chromium with a profile of its own."""

    def __init__(self, *more: str) -> None:
        self._profile = tempfile.mkdtemp(prefix="rths_chromium_")
        command = [
            find_chromium() or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
            "--remote-debugging-port=0", f"--user-data-dir={self._profile}", "--no-first-run",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--hide-scrollbars",
            "--disable-dev-shm-usage", *more, "about:blank",  # a container may have little of it
        ]  # fmt: skip
        nothing = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdout=nothing, stderr=nothing)
        self._pages: list[Page] = []
        self.port = self._find_port()

    def _find_port(self) -> int:
        told, end = Path(self._profile) / "DevToolsActivePort", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError, ValueError, IndexError):
                return int(told.read_text().splitlines()[0])
            time.sleep(0.05)
        raise TimeoutError("Chromium did not start")

    def open(self, url: str = "about:blank", width: int = 1280, height: int = 900) -> Page:
        """Open a page in a tab of its own."""
        ask = f"http://127.0.0.1:{self.port}/json/new?about:blank"
        asked = urllib.request.Request(ask, method="PUT")
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            told = json.load(answer)
        page = Page(told["webSocketDebuggerUrl"])
        self._pages.append(page)
        page.resize(width, height)
        if url != "about:blank":
            page.go(url)
        return page

    def close_pages(self) -> None:
        """Close all tabs: one that is left goes on asking for a cockpit that is gone."""
        while self._pages:
            self._pages.pop().close()

    def close(self) -> None:
        """End it."""
        self.close_pages()
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)


class Page:
    """One tab."""

    def __init__(self, address: str) -> None:
        self._opened = ExitStack()
        patient = {"open_timeout": PATIENCE, "ping_interval": None}  # it may be busy for long
        asked = connect(address, max_size=1 << 27, **patient)
        self._socket = self._opened.enter_context(asked)
        self._number = 0
        self.errors: list[str] = []
        """What the console has complained of."""
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """Call the protocol; note what happens meanwhile."""
        self._number += 1
        number = self._number
        self._socket.send(json.dumps({"id": number, "method": method, "params": given}))
        while True:
            told = json.loads(self._socket.recv(timeout=PATIENCE))
            if told.get("id") == number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']}")
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _note(self, told: dict[str, Any]) -> None:
        given = told.get("params", {})
        if told.get("method") == "Page.javascriptDialogOpening":  # nobody sits here to answer it
            self._number += 1
            yes = {"method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            self._socket.send(json.dumps({"id": self._number, **yes}))
        if told.get("method") == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            thrown = details.get("exception", {}).get("description", "")
            self.errors.append(f"{details['text']} {thrown}")
        if told.get("method") == "Runtime.consoleAPICalled" and given["type"] == "error":
            self.errors.append(str([a.get("value", a.get("description")) for a in given["args"]]))
        if told.get("method") == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.errors.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")

    def go(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def reload(self) -> None:
        """Load it again."""
        self.run("window.before = true")
        self.call("Page.reload")
        self.wait("!window.before && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Give the value of an expression in the page."""
        told = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in told:
            raise RuntimeError(f"{script}: {told['exceptionDetails']}")
        return told["result"].get("value")

    def wait(self, script: str, patience: float = PATIENCE) -> Any:
        """Wait until an expression is true; give its value."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with suppress(RuntimeError):
                if value := self.run(script):
                    return value
            time.sleep(0.02)
        shown = self.run("document.body.innerText")[:1500]
        raise AssertionError(f"not within {patience:g} s: {script}\nerrors: {self.errors}\n{shown}")

    def text(self, selector: str) -> str:
        """Give the text of an element."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def wait_for_complaint(self, text: str) -> None:
        """Wait until the console has complained of something: it is told when it likes."""
        end = time.monotonic() + PATIENCE
        while not any(text in error for error in self.errors):
            assert time.monotonic() < end, f"no complaint of {text}: {self.errors}"
            self.run("0")
            time.sleep(0.02)

    def centre(self, selector: str) -> tuple[float, float]:
        """Scroll to an element; give its middle when it stays there and nothing is before it."""
        quoted = json.dumps(selector)
        look = (
            f"(() => {{ const e = document.querySelector({quoted});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];"
            " return e.contains(document.elementFromPoint(x, y)) && [x, y]; })()"
        )
        before, end = None, time.monotonic() + PATIENCE
        while (box := self.wait(look)) != before:
            assert time.monotonic() < end, f"{selector} does not stay where it is"
            before = box
            time.sleep(STILL)
        return float(box[0]), float(box[1])

    def click(self, selector: str) -> None:
        """Click with the mouse where an element is."""
        x, y = self.centre(selector)
        given = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **given)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **given)

    def press(self, key: str, **given: Any) -> None:
        """Press a key, as " ", "q" or "Enter"."""
        text = {"text": {"Enter": "\r"}.get(key, key)} if len(key) == 1 or key == "Enter" else {}
        given |= {"windowsVirtualKeyCode": KEYS[key]} if key in KEYS else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **given)

    def focus(self, selector: str) -> None:
        """Give an element the focus."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")

    def type(self, selector: str, text: str) -> None:
        """Type over what is in a field, and leave it."""
        quoted, given = json.dumps(selector), json.dumps(text)
        self.run(
            f"(() => {{ const f = document.querySelector({quoted}); f.focus(); f.value = {given};"
            " f.dispatchEvent(new Event('input', {bubbles: true}));"
            " f.dispatchEvent(new Event('change', {bubbles: true})); f.blur(); })()"
        )

    def slide(self, selector: str, value: float) -> None:
        """Move a slider, as with the mouse."""
        quoted = json.dumps(selector)
        self.run(
            f"(() => {{ const f = document.querySelector({quoted}); f.value = {value};"
            " f.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )

    def resize(self, width: int, height: int = 900, mobile: bool = False) -> None:
        """Give the window another size."""
        given = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.call("Emulation.setDeviceMetricsOverride", **given)

    def prefer(self, scheme: str) -> None:
        """Prefer light or dark."""
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=wanted)

    def picture(self, path: Path, whole: bool = True) -> None:
        """Keep what is seen as PNG."""
        told = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(told["data"]))

    def close(self) -> None:
        """Close the tab."""
        with suppress(Exception):
            self.call("Page.close")
        with suppress(Exception):
            self._opened.close()
