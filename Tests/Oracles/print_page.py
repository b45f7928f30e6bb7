"""Prints an audit page, and prints what then stands on the paper.

Usage: print_page.py PAGE [--without-script] [--search TEXT]

Takes pdftotext (poppler-utils).
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from browser import Browser
from check_page import searched, type_in


def main() -> None:
    """Prints the text of all sheets."""
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=Path)
    parser.add_argument("--without-script", action="store_true")
    parser.add_argument("--search")
    arguments = parser.parse_args()
    with Browser() as browser, tempfile.TemporaryDirectory() as folder:
        if arguments.without_script:
            browser.call("Emulation.setScriptExecutionDisabled", value=True)
            browser.call("Page.navigate", url=arguments.page.resolve().as_uri())
            browser.wait("document.readyState === 'complete' && !!document.querySelector('main')")
        else:
            browser.open(arguments.page)
        if arguments.search:
            type_in(browser, arguments.search)
            searched(browser, arguments.search)
        paper = Path(folder) / "paper.pdf"
        browser.print(paper)
        print(subprocess.run(["pdftotext", "-raw", paper, "-"], check=True, text=True,
                             capture_output=True).stdout)


if __name__ == "__main__":
    main()
