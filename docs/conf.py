"""The documentation: pages in MyST, reference pages made from the docstrings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "rths"
author = "The rths developers"
copyright = "2026, the rths developers"
extensions = ["myst_parser", "role_pages", "command_page", "api_page"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_extensions"]
html_theme = "furo"
html_title = "rths"
