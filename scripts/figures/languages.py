"""Measure language detection on the gold texts of ../shared/data with more than 200 characters.

    .venv/bin/python -m scripts.figures.languages

deb-docs is left out, because half of its translations are in English, and silver, because its golds are weak.
"""

from __future__ import annotations

from collections import defaultdict

from bonmun.metadata.language import find_language
from bonmun.page import Page
from scripts.labelled import read_examples

MIN_CHARACTERS = 200  # characters
LEFT_OUT = ("deb-docs", "silver")


def main() -> None:
    """Print one line per language."""
    page = Page.parse("<p>x")  # declares no language
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for source, example in read_examples():
        if example.lang and source not in LEFT_OUT and len(example.text or "") > MIN_CHARACTERS:
            found = find_language(page, example.text or "")
            right[example.lang].append(found is not None and found.value == example.lang)
    for lang, values in sorted(right.items(), key=lambda pair: -len(pair[1])):
        print(f"{lang:5}{len(values):6}{sum(values) / len(values):8.3f}")
    values = [value for each in right.values() for value in each]
    print(f"all  {len(values):6}{sum(values) / len(values):8.3f}")


if __name__ == "__main__":
    main()
