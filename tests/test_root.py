"""The package root: what `import bonmun` provides, what it costs, and what it documents."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import bonmun
from bonmun import errors
from samples import ROOT

NAMES = (
    "BonmunError Chunk Client Document Extracted Fetched Image KeptBlock Labels Link Metadata Options Page Post SiteModel Table __version__ "
    "accelerated extract extract_pages extract_url extract_urls fetch fetch_many fetch_pages methods"
).split()
HEAVY = (
    "httpx typer rich numpy torch pyarrow duckdb lxml resiliparse playwright scrapy fastapi pyspark "
    "markdown_it hypothesis pytest"
).split()


def test_the_root_exports_these_names_and_no_others() -> None:
    assert bonmun.__all__ == NAMES == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(bonmun, name)
    if name in ("__version__", "accelerated"):
        assert isinstance(value, str if name == "__version__" else bool)
    else:
        assert (value.__doc__ or "").strip()


def fresh(code: str) -> str:
    """Return what some code prints in a new Python process."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return run.stdout


@pytest.mark.slow
def test_import_loads_nothing_heavy() -> None:
    loaded = fresh("import sys, bonmun; print(*sys.modules)").split()
    assert "bonmun" in loaded
    assert not {*HEAVY, "asyncio"} & set(loaded)


@pytest.mark.slow
def test_the_command_loads_nothing_heavy() -> None:
    """Nor a browser, nor the packages that control one."""
    loaded = fresh("import sys, bonmun.app.cli; print(*sys.modules)").split()
    assert "bonmun.app.commands.pages.render" in loaded
    others = {"asyncio", "multiprocessing", "sqlite3", "statistics", "bonmun.scale.browser.browser", "bonmun.snapshots"}
    unwanted = {*HEAVY, *others} - {"typer", "rich"}
    assert not unwanted & set(loaded)


@pytest.mark.slow
def test_extract_loads_nothing_heavy() -> None:
    code = "import sys, bonmun; d = bonmun.extract('<p>a'); [d.render(n) for n in ('html', 'json', 'xml', 'markdown')]"
    loaded = fresh(f"{code}; print(*sys.modules)").split()
    assert "bonmun.outputs.xml" in loaded
    assert not (set(HEAVY) - {"numpy"}) & set(loaded)


@pytest.mark.slow
def test_extracting_text_loads_no_metadata_and_with_the_kernel_no_numpy() -> None:
    """Each takes as long to load as everything else that the first page needs."""
    names = ("lighthouse", "harbour", "beacon", "old tower", "signal fire", "chapel")
    said = "".join(
        f"<p>The {name} was lit again last night, and the people of the {name} came to see it.</p>" for name in names
    )
    page = f"<title>Six fires</title><h1>Six fires</h1>{said}"
    loaded = fresh(f"import sys, bonmun; print(bonmun.extract({page!r}).text[:3], *sys.modules)").split()
    assert loaded[0] == "The"
    assert "bonmun.metadata" not in loaded
    assert ("numpy" in loaded) == ("importlib.resources" in loaded) == (not bonmun.accelerated)


def seconds_to_import(*names: str) -> float:
    code = f"import time; t = time.process_time(); import {', '.join(names)}; print(time.process_time() - t)"
    return min(float(fresh(code)) for _ in range(3))


@pytest.mark.slow
def test_import_takes_less_time_than_two_heavy_packages() -> None:
    assert seconds_to_import("bonmun") < 2 * seconds_to_import("httpx", "numpy")


def test_the_package_is_typed() -> None:
    assert (ROOT / "src" / "bonmun" / "py.typed").is_file()


def test_the_version_is_the_newest_of_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d[^\]]*)\]", text, re.M)
    assert versions[0] == bonmun.__version__


def test_the_documented_tree_of_errors_is_correct() -> None:
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ((?:[│├└─ ]{4})*)([A-Z]\w+)(?:  +\S|$)", line)
        if found:
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            drawn[found[2]] = path[depth - 1] if depth else "Exception"
    classes = {name: value for name, value in vars(errors).items() if isinstance(value, type)}
    assert drawn == {name: value.__bases__[0].__name__ for name, value in classes.items()}
    assert sorted(drawn) == sorted(errors.__all__)
    assert all(value.__doc__ for value in classes.values())


def test_methods_are_listed_with_their_needs() -> None:
    rows = bonmun.methods()
    assert rows[0].name == "auto"
    assert all(row.name and row.needs and row.says for row in rows)
