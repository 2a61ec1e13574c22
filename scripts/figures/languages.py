"""How often the language of a text is told right: the gold texts of ../shared/data, of more than 200 characters.

    .venv/bin/python -m scripts.figures.languages

Left out are deb-docs, whose translations are half in English, and silver, whose golds are weak.
"""

from __future__ import annotations

from collections import defaultdict

from bonmun.metadata.language import find_language
from bonmun.page import Page
from scripts.labelled import read_examples

LONG_TEXT = 200  # characters
UNSURE = ("deb-docs", "silver")


def main() -> None:
    """Print a line a language."""
    page = Page.parse("<p>x")  # which says nothing of its language
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for source, example in read_examples():
        if example.lang and source not in UNSURE and len(example.text or "") > LONG_TEXT:
            found = find_language(page, example.text or "")
            right[example.lang].append(found is not None and found.value == example.lang)
    for lang, values in sorted(right.items(), key=lambda pair: -len(pair[1])):
        print(f"{lang:5}{len(values):6}{sum(values) / len(values):8.3f}")
    values = [value for each in right.values() for value in each]
    print(f"all  {len(values):6}{sum(values) / len(values):8.3f}")


if __name__ == "__main__":
    main()
