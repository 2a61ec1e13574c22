"""The async API: pages by URL from an event loop, extracted in child processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bonmun
from bonmun.errors import AddressRefused, BadConfig, FetchFailed, NotHtml
from bonmun.options import Options
from samples import served
from timing import becomes_true

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

PAGE = (
    "<title>Lamp {0}</title><h1>Lamp {0}</h1>"
    "<p>Lamp {0} was lit by hand every evening, and its keeper wrote down the hour.</p>"
)
LOCAL = Options(allow_private=True)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    pages = {f"/{number}": (PAGE.format(number).encode(), "text/html") for number in range(12)}
    with served(pages | {"/pdf": (b"%PDF-1.7", "application/pdf")}) as address:
        yield address


def list_children() -> set[int]:
    """Return the child processes that run, but for the one that multiprocessing keeps."""
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            is_tracker = b"resource_tracker" in (folder / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if int(parent) == os.getpid() and state != "Z" and not is_tracker:
            found.add(int(folder.name))
    return found


def test_one_and_many_urls_give_what_the_library_gives(site: str) -> None:
    before = list_children()

    async def run() -> None:
        doc = await bonmun.extract_url(f"{site}/3", options=LOCAL)
        assert doc.markdown == bonmun.extract(PAGE.format(3), doc.url).markdown
        assert doc.title == "Lamp 3"
        urls = [*(f"{site}/{number}" for number in range(12)), f"{site}/nothing", f"{site}/pdf", "ftp://x"]
        results = [each async for each in bonmun.extract_urls(urls, "all", LOCAL, pause=0)]
        assert sorted(each.url for each in results) == sorted(urls)
        titles = {each.document.title for each in results if each.document}
        assert titles == {f"Lamp {number}" for number in range(12)}
        errors = {each.url: each.error for each in results if each.error}
        assert isinstance(errors[f"{site}/pdf"], NotHtml)
        assert isinstance(errors[f"{site}/nothing"], FetchFailed)
        both = await asyncio.gather(*(bonmun.extract_url(f"{site}/{number}", options=LOCAL) for number in (1, 2)))
        assert [doc.title for doc in both] == ["Lamp 1", "Lamp 2"]

    asyncio.run(run())
    assert becomes_true(lambda: not list_children() - before)  # the child processes stop with the event loop
    asyncio.run(run())  # another event loop has its own


def test_errors_are_those_of_fetch_and_extract(site: str) -> None:
    async def ask(url: Any, method: str = "auto", options: Options | None = None) -> object:
        return await bonmun.extract_url(url, method, options)

    for url, method, options, kind in (
        (f"{site}/1", "auto", None, AddressRefused),
        (f"{site}/nothing", "auto", LOCAL, FetchFailed),
        (f"{site}/1", "atuo", LOCAL, BadConfig),
        (5, "auto", LOCAL, BadConfig),
        ("http://user:pass@127.0.0.1/", "auto", None, FetchFailed),
    ):
        with pytest.raises(kind):
            asyncio.run(ask(url, method, options))


def test_the_caller_may_stop_early_and_bad_arguments_raise(site: str) -> None:
    async def stop() -> int:
        async for result in bonmun.extract_urls(
            (f"{site}/{number % 12}" for number in range(100_000)), options=LOCAL, pause=0
        ):
            assert result.document is not None
            return 1
        return 0

    assert asyncio.run(stop()) == 1

    async def read(urls: Any) -> None:
        async for _ in bonmun.extract_urls(urls):
            pass

    with pytest.raises(BadConfig):
        asyncio.run(read("https://example.org/"))


def test_a_script_needs_no_protected_main(site: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import asyncio, bonmun\n"
        "doc = asyncio.run(bonmun.extract_url("
        f"'{site}/5', options=bonmun.Options(allow_private=True)))\nprint(doc.title)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("Lamp 5\n", "")
