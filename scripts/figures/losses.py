"""Explain the scores of `sentence`: what the sentence rule loses, and which depth M4 chooses.

    .venv/bin/python -m scripts.figures.losses

Two tables over the reported sets (labelled.py), in percent: the gold's words on the page that M3 drops, by cause; and
the pages on which M4 chooses the same depth as MM or another.
"""

from __future__ import annotations

import re
from collections import Counter

import bonmun
from bonmun.algorithms.sentence import Depth, Sentence
from bonmun.metadata import guess_title
from bonmun.text.sentences import find_sentences
from bonmun.text.words import count_words
from scripts.labelled import REPORTED, read_rows

QUOTED = re.compile(r"""[.?!؟۔।][”"'’»)\]」』]+$""")
CAUSES = "tag in a sentence, rest after the last mark, quote after the mark, no mark: heading, item, code, other"
MIN_LEAF_CHARACTERS = 15  # shorter leaves in a block without a sentence may be in the gold by chance
DEPTHS = "the same, another, another with the headline in it"


def count_losses(page: bonmun.Page, gold: str) -> Counter[str]:
    """Count the words of the gold that M3 drops, by cause, and all words of the gold."""
    found: Counter[str] = Counter()
    in_leaf, ends = find_sentences(page.texts)
    in_block, _ = find_sentences(page.block_texts)
    for number, block in enumerate(page.blocks):
        for leaf in block.shown_leaves():
            text = page.texts[leaf]
            if text not in gold or (len(text) < MIN_LEAF_CHARACTERS and not in_block[number]):
                continue
            words = count_words(text).total()
            found["all"] += words
            if QUOTED.search(text):
                found["quote after the mark"] += count_words(text[ends[leaf] :]).total()
            elif in_leaf[leaf]:
                found["rest after the last mark"] += count_words(text[ends[leaf] :]).total()
            elif in_block[number]:
                found["tag in a sentence"] += words
            else:
                found[block.kind if block.kind in ("heading", "item", "code") else "other"] += words
    return found


def compare_depths(page: bonmun.Page) -> str:
    """Return whether M4 chooses the same depth as MM, or another."""
    nearest, fullest = Sentence("M4").label(page), Sentence("MM").label(page)
    chosen = [
        [row.depth for row in labels.evidence if isinstance(row, Depth) and row.chosen] for labels in (nearest, fullest)
    ]
    if chosen[0] == chosen[1]:
        return "the same"
    title = (guess_title(page) or "").casefold()
    kept = (text.casefold() for text, keep in zip(page.texts, nearest.kept, strict=True) if keep)
    return "another with the headline in it" if title and any(title in text for text in kept) else "another"


def main() -> None:
    """Print both tables."""
    causes = [cause.removeprefix("no mark: ") for cause in CAUSES.split(", ")]
    depths = DEPTHS.split(", ")
    print("| set | " + " | ".join(CAUSES.split(", ")) + " |", "|---" * (len(causes) + 1) + "|", sep="\n")
    chosen: dict[str, Counter[str]] = {}
    for name in REPORTED:
        lost: Counter[str] = Counter()
        chosen[name] = Counter()
        for row in read_rows(name, "article" if name == "wcxb-dev" else None):
            page = bonmun.Page.parse(row["html"])
            lost += count_losses(page, " ".join(row["text"].split()))
            chosen[name][compare_depths(page)] += 1
        cells = [f"{lost[cause] / lost['all']:.1%}".removesuffix("%") for cause in causes]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print("\n| set | " + " | ".join(depths) + " |", "|---" * (len(depths) + 1) + "|", sep="\n")
    for name, counts in chosen.items():
        cells = [f"{counts[which] / counts.total():.0%}".removesuffix("%") for which in depths]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
