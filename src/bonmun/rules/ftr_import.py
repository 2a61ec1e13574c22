"""Convert site configurations of Full-Text RSS (ftr-site-config), one text file per host, to rules.

A file has lines such as `body: //div[@id='text']` or `strip_id_or_class: promo`. Its name is the host:
`example.org.txt`, or `.example.org.txt` for all hosts below example.org.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bonmun.rules.records import SiteRule
from bonmun.rules.rule_files import HOST, MAX_SELECTORS
from bonmun.rules.selectors import InvalidSelector, parse_selector

if TYPE_CHECKING:
    from bonmun.rules.records import Selector

__all__ = ["ConvertedConfig", "convert_config"]

MAX_CONFIG_BYTES = 200_000
MAX_VALUE_CHARS = 80  # shown of a line that cannot be converted
LINE = re.compile(r"\s{0,9}([a-z_]{2,40})(?:\([^()]{0,200}\))?\s{0,9}:\s{0,9}(.{0,2000})")
PLAIN_WORD = re.compile(r"[\w.:/-]{1,100}")
# Fields that name what a rule names, and what they are called there.
SELECTOR_FIELDS = {"title": "title", "author": "authors", "date": "date", "strip": "drop", "next_page_link": "next"}
# Fields that change how a page is fetched or parsed, or that only test the file: a rule needs none of them.
WITHOUT_EFFECT = frozenset(
    "test_url test_contains prune tidy parser autodetect_on_failure skip_json_ld insert_detected_image "
    "native_ad_clue strip_comments".split()
)
UNSUPPORTED = {
    "single_page_link": "the page of the whole article is not fetched",
    "single_page_link_in_feed": "the page of the whole article is not fetched",
    "find_string": "the HTML is not replaced before it is parsed",
    "replace_string": "the HTML is not replaced before it is parsed",
    "http_header": "rules do not change requests",
    "if_page_contains": "rules have no conditions",
    "wrap_in": "the markup is not changed",
    "move_into": "the markup is not changed",
    "dissolve": "the markup is not changed",
    "requires_login": "rules do not log in",
    "login_uri": "rules do not log in",
    "login_username_field": "rules do not log in",
    "login_password_field": "rules do not log in",
    "login_extra_fields": "rules do not log in",
    "not_logged_in_xpath": "rules do not log in",
    "src_lazy_load_attr": "images that load later are found anyway",
    "convert_double_br_tags": "paragraphs are found anyway",
}


@dataclass
class ConvertedConfig:
    """The rules of one file, and the lines that could not be converted, each with the reason."""

    rules: list[SiteRule] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def convert_config(name: str, data: bytes) -> ConvertedConfig:
    """Convert a file; `name` is its file name. Each further `body` becomes a rule that is tried after the first."""
    found = ConvertedConfig()
    host = _read_host(name)
    if host is None:
        found.problems.append(f"{name}: the name is no host, such as example.org.txt")
        return found
    if len(data) > MAX_CONFIG_BYTES:
        found.problems.append(f"{name}: the file has more than {MAX_CONFIG_BYTES:,} bytes")
        return found
    fields: dict[str, list[Selector]] = {each: [] for each in ("body", *SELECTOR_FIELDS.values())}
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = LINE.fullmatch(line.rstrip())
        problem = _read_line(match[1], match[2].strip(), fields) if match else "this is no `field: value`"
        if problem:
            found.problems.append(f"{name}, line {number}: {line.strip()[:MAX_VALUE_CHARS]}: {problem}")
    shared: dict[str, Any] = {key: tuple(fields[key]) for key in ("drop", "title", "authors", "date")}
    bodies: list[tuple[Selector, ...]] = [(body,) for body in fields["body"]]
    if not bodies and (any(shared.values()) or fields["next"]):
        bodies = [()]
    label = host.removeprefix("*.")
    for number, main in enumerate(bodies, 1):
        if number > 1:
            found.rules.append(SiteRule(f"{label} {number}", (host,), main=main))
            continue
        link = fields["next"][0] if fields["next"] else None
        found.rules.append(SiteRule(label, (host,), main=main, next=link, **shared))
    if not bodies:
        found.problems.append(f"{name}: nothing to convert")
    return found


def _read_host(name: str) -> str | None:
    """Return the host that a file name stands for."""
    host = name.removesuffix(".txt").lower()
    host = f"*{host}" if host.startswith(".") else host
    return host if HOST.fullmatch(host) and "." in host else None


def _read_line(key: str, value: str, fields: dict[str, list[Selector]]) -> str | None:
    """Add the value of a line; return why it cannot be converted, if so."""
    if key in WITHOUT_EFFECT:
        return None
    if key in UNSUPPORTED:
        return UNSUPPORTED[key]
    if not value:
        return "the value is empty"
    if key in ("strip_id_or_class", "strip_image_src"):
        word = value.strip("'\"")
        if not PLAIN_WORD.fullmatch(word):
            return "the value is no name"
        selector = f'[id*="{word}"], [class*="{word}"]' if key == "strip_id_or_class" else f'img[src*="{word}"]'
        target = "drop"
    elif key == "body" or key in SELECTOR_FIELDS:
        selector, target = value, SELECTOR_FIELDS.get(key, "body")
        if not selector.lstrip("( ").startswith(("/", "./")):
            return "this is no XPath"
    else:
        return "unknown field"
    if len(fields[target]) == MAX_SELECTORS:
        return f"there are more than {MAX_SELECTORS} selectors"
    try:
        parsed = parse_selector(selector)
    except InvalidSelector as problem:
        return str(problem)
    if any(parsed.attributes) and target in ("drop", "body"):
        return "an attribute is no part of the page"
    fields[target].append(parsed)
    return None
