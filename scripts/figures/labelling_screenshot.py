"""Take the screenshot of docs/how-to/annotate.md: `python -m scripts.figures.labelling_screenshot [FILE]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bonmun.scale.browser.find import find_browser
from scripts.figures.screenshots import ARABIC, ENGLISH, FLAGS, IMAGES, KOREAN, SIZE, write_page

KEYS = ["j", "j", "j", "J", "J", "d", "j", "i"]  # drop three blocks, then write a note


def take_picture(address: str, file: Path) -> None:
    """Label a part of a page, and take a screenshot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.locator("#label-saved[data-state=start]").wait_for()
        for key in KEYS:
            page.keyboard.press(key)
        page.keyboard.type("Is the part on who paid main text?")
        page.keyboard.press("Escape")
        page.locator("#label-saved[data-state=saved]").wait_for()
        page.locator("#queue-list span", has_text="uncertainty").nth(2).wait_for()
        page.locator("#card .decision").wait_for()
        page.screenshot(path=file)
        browser.close()


def main() -> None:
    """Take the screenshot."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES / "labelling.png"
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder, "pages")
        pages.mkdir()
        for number, said in enumerate((ENGLISH, KOREAN, ARABIC)):
            Path(pages, f"{number}-{said['lang']}.html").write_text(write_page(said), encoding="utf-8")
        command = [sys.executable, "-m", "bonmun", "inspect", str(pages), "--gold", f"{folder}/kim.jsonl", "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            try:
                take_picture(server.stdout.readline().strip(), file)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
