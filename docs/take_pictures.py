"""Take the pictures of pages that README and gallery show: ``make pictures``, by Chromium.

Each page is made anew by its command, in an empty folder, and its upper part is kept as PNG.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import Browser  # noqa: E402

PLAN = ROOT / "src/rths/studies/wallace2005/rig.toml"
WIDTH, HEIGHT = 1080, 1240
"""Pixels of a page that are shown."""
COLOURS = 96
"""Colours of a picture: flat ones, of which a file of some ten kilobytes has enough."""
DELAYS = ("--vary", "transfer.delay=0.004..0.012:9", "--vary", "compensator.kind=none,polynomial")
PAGES = {
    "page_certificate": (("certify", "plan.toml"), "runs/plan/certificate.html"),
    "page_run": (("run", "plan.toml", "--reference"), None),
    "page_report": (("report", "runs/plan"), "runs/plan/report.html"),
    "page_ensemble": (("ensemble", "plan.toml", *DELAYS), "runs/plan-ensemble/ensemble.html"),
    "page_study": (("study", "wallace2005"), "runs/studies/wallace2005/index.html"),
}


def main() -> None:
    """Make every page and keep its picture in docs/pictures."""
    from PIL import Image

    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "plan.toml").write_text(PLAN.read_text("utf-8"), encoding="utf-8")
            for picture, (words, page) in PAGES.items():
                command = [str(Path(sys.executable).with_name("rths")), *words, "-q"]
                subprocess.run(command, cwd=folder, check=True)
                if page is None:
                    continue
                shown = browser.open(width=WIDTH, height=HEIGHT)
                shown.go((folder / page).as_uri())
                shown.picture(folder / "page.png", whole=False)
                content = BytesIO((folder / "page.png").read_bytes())
                path = ROOT / "docs/pictures" / f"{picture}.png"
                Image.open(content).convert("RGB").quantize(COLOURS).save(path, optimize=True)
                print(f"{path.relative_to(ROOT)} ({path.stat().st_size // 1000} kB)")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
