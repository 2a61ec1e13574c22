"""Measure events, jobs, papers and lists on hand-labelled pages: precision and recall of each field.

    python -m scripts.figures.objects events|jobs|papers|lists [--worst 20]
    python -m scripts.figures.objects others [--worst 20]

The second command counts the objects, by type, on 500 pages of sets that are not about these types, so that a reader
can judge how many are false.

The labels are scripts/make/object_labels.jsonl: what a reader finds on the page, written down before bonmun's answer
was seen. The pages are not part of the repository; those that are needed are collected once into
out/object-pages.jsonl. Each figure is given for all pages, with and without markup, and for the sites that nothing was
built on ("unseen"): half of the sites, by their checksum. If extruct is installed, its answers are measured too.

The items of a list are lines of the gold text of its set; a reader chose the lines that are titles. One reader labelled
each page once.

A label without values is a page that is no such thing: everything found there is wrong. Keywords, references and PDFs
were labelled only where a reader sees them, so they count only there.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter, defaultdict
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bonmun
from bonmun.metadata.scans import fold_text
from scripts.labelled import read_html, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.objects.records import PageObject

LABELS = Path(__file__).parents[1] / "make" / "object_labels.jsonl"
PAGES = Path("out/object-pages.jsonl")
TYPES = {"events": "Event", "jobs": "JobPosting", "papers": "ScholarlyArticle", "lists": "ItemList"}
# The field of an object for each field of a label.
FIELDS = {
    "Event": {name: name for name in ("name", "startDate", "endDate", "location", "organizer")} | {"price": "offers"},
    "JobPosting": {
        "title": "title",
        "employer": "hiringOrganization",
        "place": "jobLocation",
        "salary": "baseSalary",
        "posted": "datePosted",
        "until": "validThrough",
        "kind": "employmentType",
    },
    "ScholarlyArticle": {
        "name": "name",
        "authors": "author",
        "journal": "isPartOf",
        "doi": "doi",
        "abstract": "abstract",
        "keywords": "keywords",
        "references": "citation",
        "pdf": "encoding",
    },
    "ItemList": {"items": "itemListElement", "addresses": "itemListElement"},
}
# Labelled only where the reader sees them.
PARTLY_LABELLED = frozenset({"keywords", "references", "pdf"})
OTHER_SETS, OTHER_PAGES = ("wcxb-dev", "hand-ml"), 500
PREFIX_CHARS = 30  # of a title or abstract that are compared
EVENT_SUFFIX = "event"


def read_labels(type_: str) -> list[dict[str, Any]]:
    """Return the labels of a type, each with the HTML and address of its page."""
    labels = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").split("\n") if line]
    pages = _read_pages({(label["set"], label["id"]) for label in labels})
    return [label | pages[label["set"], label["id"]] for label in labels if label["type"] == type_]


def _read_pages(wanted: set[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return HTML and address of the labelled pages, from the data or from the file that a first run has written."""
    if not PAGES.exists():
        PAGES.parent.mkdir(exist_ok=True)
        with PAGES.open("w", encoding="utf-8") as file:
            for name in sorted({name for name, _ in wanted}):
                for row in read_rows(name, covered=0):  # labels do not depend on the gold text
                    if (name, row["id"]) in wanted:
                        file.write(json.dumps(_pick(row) | {"set": name, "id": row["id"]}) + "\n")
    rows = [json.loads(line) for line in PAGES.read_text(encoding="utf-8").split("\n") if line]
    return {(row["set"], row["id"]): {"html": row["html"], "url": row["url"]} for row in rows}


def _pick(row: dict[str, Any]) -> dict[str, Any]:
    return {"html": read_html(row), "url": row.get("url")}


def is_unseen(site: str) -> bool:
    """Whether a site is in the half that nothing was built on."""
    return bool(zlib.crc32(f"objects {site}".encode()) % 2)


def measure_labelled(kind: str, worst: int, remove_markup: Callable[[str], str]) -> None:
    """Print precision and recall of the fields of a type."""
    type_ = TYPES[kind]
    labels = read_labels(type_)
    unseen = [label for label in labels if is_unseen(label["site"])]
    for title, some, prepare in (
        ("with markup", labels, str),
        ("without markup", labels, remove_markup),
        ("with markup, unseen sites", unseen, str),
        ("without markup, unseen sites", unseen, remove_markup),
    ):
        _print_figures(title, type_, some, partial(_find, type_=type_, prepare=prepare), worst)
    if find_spec("extruct") and type_ != "ItemList":
        _print_figures("extruct, with markup", type_, labels, partial(_find_marked, type_=type_), worst)


def measure_others(worst: int) -> None:
    """Print how many objects of each type are found on random pages, and which of those are events, jobs and papers."""
    rows = [row for name in OTHER_SETS for row in read_rows(name, covered=0) if row.get("html")]
    rows = sorted(rows, key=lambda row: zlib.crc32(f"others {row['id']}".encode()))[:OTHER_PAGES]
    counts: Counter[str] = Counter()
    shown = []
    for row in rows:
        for found in bonmun.extract(row["html"], row.get("url")).objects:
            counts[found.type] += 1
            if found.type in ("Event", "JobPosting", "ScholarlyArticle"):
                shown.append(f"{found.type} {row['id']} {str(found.values)[:150]}")
    print(f"{len(rows)} pages:", dict(counts.most_common()))
    print(*shown[: worst or None], sep="\n")


def _find(label: dict[str, Any], type_: str, prepare: Callable[[str], str]) -> dict[str, Any]:
    objects: tuple[PageObject, ...] = bonmun.extract(prepare(label["html"]), label["url"]).objects
    return next((found.values for found in objects if found.type == type_), {})


def _print_figures(
    title: str,
    type_: str,
    labels: list[dict[str, Any]],
    find: Callable[[dict[str, Any]], dict[str, Any]],
    worst: int,
) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    failed = []
    found_pages = 0
    for label in labels:
        values = find(label)
        found_pages += bool(values)
        for name, (right, found, wanted) in score_object(type_, values, label["values"]):
            counts[name].update(right=right, found=found, wanted=wanted)
            if right < max(found, wanted):
                failed.append(f"{name} {label['id'][-50:]}: {str(values.get(FIELDS[type_][name]))[:150]!r}")
    print(f"{title}: {len(labels)} pages, {found_pages} with an object")
    for name, each in counts.items():
        precision = each["right"] / each["found"] if each["found"] else 0.0
        recall = each["right"] / each["wanted"] if each["wanted"] else 0.0
        print(f"  {name:10} precision {precision:.3f}  recall {recall:.3f}  of {each['wanted']}")
    print(*failed[:worst], sep="\n")


def score_object(
    type_: str, values: dict[str, Any], label: dict[str, Any]
) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield for each field of the label how many of its values are right, found and wanted."""
    for name, field in FIELDS[type_].items():
        found, wanted = values.get(field), label.get(name)
        if name in PARTLY_LABELLED and label and wanted is None:
            continue
        yield name, COMPARED.get(name, _compare_text)(found, wanted)


def _compare_text(found: Any, wanted: Any) -> tuple[int, int, int]:
    """Compare texts without case, spaces and punctuation; a place or an employer may be part of a longer text."""
    text = fold_text(" ".join(found.values()) if isinstance(found, dict) else str(found or ""))
    golds = [fold_text(each) for each in (wanted if isinstance(wanted, list) else [wanted or ""]) if each]
    right = any(gold == text or (min(len(gold), len(text)) > 5 and (gold in text or text in gold)) for gold in golds)
    return int(right), int(bool(text)), int(bool(golds))


def _compare_name(found: Any, wanted: Any) -> tuple[int, int, int]:
    return int(bool(wanted) and fold_text(str(found)) == fold_text(wanted)), int(bool(found)), int(bool(wanted))


def _compare_date(found: Any, wanted: Any) -> tuple[int, int, int]:
    """The day must be the same, and the time where both have one."""
    ours, gold = str(found or ""), str(wanted or "")
    right = bool(gold) and ours[:10] == gold[:10] and (len(ours) < 16 or len(gold) < 16 or ours[11:16] == gold[11:16])
    return int(right), int(bool(ours)), int(bool(gold))


def _compare_price(found: Any, wanted: Any) -> tuple[int, int, int]:
    prices = [offer["price"] for offer in found or [] if "price" in offer]
    right = wanted is not None and any(float(price) == float(wanted) for price in prices)
    return int(right), int(bool(prices)), int(wanted is not None)


def _compare_names(found: Any, wanted: Any) -> tuple[int, int, int]:
    """Names of people and keywords, in any order; "Ann Harbour" is "Harbour Ann"."""
    ours = Counter(_fold_name(each["name"] if isinstance(each, dict) else each) for each in found or [])
    gold = Counter(_fold_name(each) for each in wanted or [])
    if wanted is None and ours:
        return 0, 0, 0  # too many names to label
    return (ours & gold).total(), ours.total(), gold.total()


def _fold_name(name: str) -> str:
    return "".join(sorted(fold_text(word) for word in re.split(r"[\s,.]+", name)))


def _compare_start(found: Any, wanted: Any) -> tuple[int, int, int]:
    ours, gold = fold_text(str(found or "")), fold_text(str(wanted or ""))
    ours = ours.removeprefix("abstract")
    right = bool(gold) and ours[:PREFIX_CHARS] == gold[:PREFIX_CHARS]
    return int(right), int(bool(ours)), int(bool(gold))


def _compare_count(found: Any, wanted: Any) -> tuple[int, int, int]:
    right = wanted is not None and abs(len(found or ()) - wanted) <= 1
    return int(right), int(bool(found)), int(wanted is not None)


def _compare_file(found: Any, wanted: Any) -> tuple[int, int, int]:
    """Addresses of one file: a publisher may serve it under several."""
    ours, gold = (str(each or "").rstrip("/").partition("?")[0].rpartition("/")[2] for each in (found, wanted))
    return int(bool(wanted) and ours == gold), int(bool(found)), int(bool(wanted))


def _compare_items(found: Any, wanted: Any) -> tuple[int, int, int]:
    ours = Counter(fold_text(item.get("name", ""))[:PREFIX_CHARS] for item in found or [])
    gold = Counter(fold_text(name)[:PREFIX_CHARS] for name in wanted or [])
    return (ours & gold).total(), ours.total(), gold.total()


def _compare_addresses(found: Any, wanted: Any) -> tuple[int, int, int]:
    """The address of the item at each labelled place, of the first three items and the last."""
    ours = [item.get("url") for item in found or []]
    right = sum(int(at) < len(ours) and _same_page(ours[int(at)], url) for at, url in (wanted or {}).items())
    return right, len(wanted or {}) if found else 0, len(wanted or {})


def _same_page(ours: str | None, gold: str) -> bool:
    return (ours or "").partition("#")[0].rstrip("/") == gold.partition("#")[0].rstrip("/")


COMPARED: dict[str, Callable[[Any, Any], tuple[int, int, int]]] = {
    "name": _compare_name,
    "title": _compare_name,
    "startDate": _compare_date,
    "endDate": _compare_date,
    "posted": _compare_date,
    "until": _compare_date,
    "price": _compare_price,
    "authors": _compare_names,
    "keywords": _compare_names,
    "doi": _compare_name,
    "abstract": _compare_start,
    "references": _compare_count,
    "pdf": _compare_file,
    "items": _compare_items,
    "addresses": _compare_addresses,
}


def _find_marked(label: dict[str, Any], type_: str) -> dict[str, Any]:
    """Return the values that extruct finds in the first item of a type, by the names of schema.org."""
    for item in list_marked_items(label["html"], label["url"]):
        types = item.get("@type", "")
        names = [str(each) for each in (types if isinstance(types, list) else [types])]
        if any(name == type_ or (type_ == "Event" and name.lower().endswith(EVENT_SUFFIX)) for name in names):
            return {field: _flatten(item.get(field)) for field in FIELDS[type_].values() if item.get(field)}
    return {}


def list_marked_items(html: str, url: str | None) -> list[dict[str, Any]]:
    """Return the items that extruct finds on a page, outer ones only."""
    found = import_module("extruct").extract(
        html, base_url=url or "", syntaxes=["json-ld", "microdata"], uniform=True, errors="ignore"
    )
    tops = [top for syntax in found.values() for top in syntax if isinstance(top, dict)]
    return [item for top in tops for item in [top, *top.get("@graph", [])] if isinstance(item, dict)]


def _flatten(value: Any) -> Any:
    """Return the values of extruct in the form of an object's."""
    if isinstance(value, list):
        return [_flatten(each) for each in value]
    if isinstance(value, dict):
        price = value.get("price", value.get("lowPrice"))
        return [{"price": price}] if price is not None else str(value.get("name", ""))
    return value
