"""The Korean interface: all texts of the inspector and of the methods are translated."""

from __future__ import annotations

import re

from bonmun.app.inspector.block_features import explain_features
from bonmun.app.inspector.bundle import read_static
from bonmun.app.inspector.inspection import list_methods, run_method
from bonmun.app.inspector.site_study import REASONS
from bonmun.models.network.thresholds import REASON_TEXTS
from bonmun.page import Page
from samples import SOURCES

RULE = re.compile(r"rule .+: (?:main|keep|drop|title|not in main|not in within)", re.S)
NAME = re.compile(r"\b(\w+): \"")


def test_every_interface_text_has_a_translation() -> None:
    for file in ("core/strings.js", "labels/strings.js", "rules/strings.js", "report/strings.js", "site/strings.js"):
        english, korean = re.findall(r"const (?:ENGLISH|KOREAN) = \{(.*?)\n\};", read_static(file), re.S)
        assert set(NAME.findall(english)) == set(NAME.findall(korean))
        assert len(NAME.findall(english)) > 20


def test_every_reason_of_an_unusual_page_has_a_sentence() -> None:
    texts = read_static("site/strings.js")
    assert all(texts.count(f"siteReason{each.title()}: ") == 2 for each in REASONS)


def test_every_text_of_the_methods_has_a_translation() -> None:
    known = read_static("core/korean.js")
    said = {*REASON_TEXTS, *(each["says"] for each in list_methods())}
    for source in SOURCES.values():
        page = Page.parse(source.read_bytes())
        for method in ("auto", "rules", "density", "xpath", "xpath+", "title-table", "sentence:M4"):
            found = run_method(page, method)
            said |= {*found["reasons"], *found["kinds"], found["kind"]}
            for table in found["evidence"]:
                said |= {table["says"], *(name.replace("_", " ") for name in table["columns"])}
        spoke = explain_features(page, len(page.starts) // 2)
        for each in spoke["for"] + spoke["against"]:
            said.add(re.sub("^around it: |: (?:yes|no)$", "", each["says"]))
    said = {each for each in said if not RULE.fullmatch(each)}
    assert "rule (.+): (main|keep|drop|title|not in main|not in within)$/s" in known  # which translates them
    missing = {each for each in said if f'"{each}":' not in known and not re.search(rf"\b{re.escape(each)}:", known)}
    assert missing == set()
