"""A page as PDF, printed by Chromium if there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from rths.errors import InputError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def browser() -> str | None:
    """Find Chromium, or a browser that was made from it."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def print_pdf(page: Path, out: Path) -> Path:
    """Print a page into a PDF file."""
    program = browser()
    if program is None:
        raise InputError(
            "--pdf",
            str(out),
            f"needs Chromium, and none of {', '.join(BROWSERS)} was found",
            "Install it, or print the HTML page from any browser.",
        )
    with TemporaryDirectory(prefix="rths_") as profile:
        done = subprocess.run(
            [
                program,
                *FLAGS,
                f"--user-data-dir={profile}",
                "--no-pdf-header-footer",
                f"--print-to-pdf={out.absolute()}",
                page.absolute().as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    if done.returncode or not out.exists():
        raise InputError(
            "--pdf",
            str(out),
            f"could not be printed ({done.stderr.strip().splitlines()[-1:]})",
            "Print the HTML page from a browser.",
        )
    return out
