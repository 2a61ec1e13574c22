"""Measure rules that are learned from unlabelled pages of a site, and print them.

Rules are learned from half of the pages of a site, at most 20, and tried on the others, with networks that were trained
without the site. `--print N` prints the rules of the first N sites with a rule, each site once.

.venv/bin/python -m scripts.figures.learned_rules .train/folds [--main] [--print 10]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun import Options, Page, extract
from bonmun.lab.gold.folds import find_fold, model_path
from bonmun.learn.site_rules import learn_site, write_learned
from bonmun.learn.survey import NamedPage, study_site, survey_pages
from bonmun.rules.rule_set import RuleSet
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

SETS = ("site-gold", "wwwxmu-zh", "newton-news")
PAGES = "crawl-sample"  # has the pages of site-gold, joined by id
MIN_PAGES = 8  # of a site
MAX_LEARNED = 20
MIN_LOSS = 0.002  # of a site that is marked


class Result(NamedTuple):
    """Word F1 of the pages of a site, without and with the learned rules."""

    site: str
    learned: int  # pages
    rules: int
    layouts: int
    matched: int  # of the other pages
    before: list[float]
    after: list[float]
    text: str


def read_sites() -> dict[str, list[dict[str, Any]]]:
    """Return the labelled pages by site."""
    htmls = {row["id"]: row["html"] for row in read_rows(PAGES)}
    sites: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in SETS:
        for row in read_rows(name, covered=0.0):
            if row.get("site") and row.get("text") is not None:
                html = row.get("html") or htmls[row["id"]]
                url = row.get("url") or f"https://{row.get('host') or row['site']}/"
                sites[row["site"]].append({**row, "html": html, "url": url})
    return sites


def measure_site(site: str, rows: list[dict[str, Any]], folds: Path, *, allow_main: bool) -> Result:
    """Learn rules from some pages of a site, and measure them on the others."""
    random.Random(site).shuffle(rows)
    count = min(MAX_LEARNED, len(rows) // 2)
    options = Options(model=model_path(folds, find_fold(site)))
    pages = [NamedPage(row["id"], Page.parse(row["html"], row["url"])) for row in rows[:count]]
    found, _ = survey_pages(range(count), pages.__getitem__)
    learned = [learn_site(study_site(each, pages.__getitem__, options), allow_main=allow_main) for each in found]
    rules = RuleSet(tuple(rule for each in learned for rule in each.rules))
    before, after, matched = [], [], 0
    for row in rows[count:]:
        page = Page.parse(row["html"], row["url"])
        matched += bool(rules.find(page))
        before.append(score(extract(page, options=options, rules="none").text, row["text"]))
        after.append(score(extract(page, options=options, rules=rules).text, row["text"]))
    layouts = sum(len(each.layouts) for each in learned)
    text = "\n".join(map(write_learned, learned))
    return Result(site, count, len(rules.rules), layouts, matched, before, after, text)


def score(text: str, gold: str) -> float:
    """Return word F1; a page without gold scores 1 if nothing is kept."""
    if not gold.strip():
        return float(not text.strip())
    return compare_counts(count_words(text), count_words(gold)).f1


def print_table(results: Sequence[Result]) -> None:
    """Print a row for each site, and the means."""
    print("| site | learned from | layouts | rules | tried on | matched | without | with | difference |")
    print("|---|---|---|---|---|---|---|---|---|")
    for each in results:
        before, after = fmean(each.before), fmean(each.after)
        mark = " (!)" if after < before - MIN_LOSS else ""
        print(
            f"| {each.site} | {each.learned} | {each.layouts} | {each.rules} | {len(each.before)} | {each.matched} "
            f"| {before:.4f} | {after:.4f} | {after - before:+.4f}{mark} |"
        )
    before, after = (fmean(map(fmean, column)) for column in zip(*((r.before, r.after) for r in results), strict=True))
    for name, column in (("without", "before"), ("with", "after")):
        scores = [score for each in results for score in getattr(each, column)]
        print(
            f"{sum(score < 0.5 for score in scores)} of {len(scores)} pages are below .5 {name} rules", file=sys.stderr
        )
    print(f"| mean | | | | | | {before:.4f} | {after:.4f} | {after - before:+.4f} |")


def main() -> None:
    """Print the table, or learned rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folds", type=Path)
    parser.add_argument("--main", action="store_true")
    parser.add_argument("--print", type=int, default=0, dest="printed")
    given = parser.parse_args()
    results: list[Result] = []
    for site, rows in sorted(read_sites().items()):
        if len(rows) >= MIN_PAGES:
            result = measure_site(site, rows, given.folds, allow_main=given.main)
            results.append(result)
            if given.printed and result.rules:
                print(result.text)
                given.printed -= 1
                if not given.printed:
                    return
    print_table(results)


if __name__ == "__main__":
    main()
