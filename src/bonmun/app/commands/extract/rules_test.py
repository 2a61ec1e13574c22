"""`bonmun rules check` and `bonmun rules test`: validate rule files, and try them on pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.shell import complain, output_to, say_count, show, wrong_use
from bonmun.errors import BadRule, BonmunError
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from bonmun.document import Document

__all__ = ["rules_check_command", "rules_test_command"]

MAX_SHOWN_BLOCKS = 5
MAX_SHOWN_CHARS = 80


def rules_check_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Rule files and folders.")],
) -> None:
    """Check rule files: report the line and the reason of everything that is wrong."""
    from bonmun.rules.rule_files import read_rule_files

    failed = False
    with output_to(None):
        for path in paths:
            for file in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
                try:
                    rules, _ = read_rule_files(file)
                except BadRule as problem:
                    complain(str(problem))
                    failed = True
                else:
                    show(f"{file}: {say_count(len(rules), 'rule')}")
    raise typer.Exit(2 if failed else 0)


def rules_test_command(
    rules: Annotated[Path, typer.Argument(metavar="RULES", help="Rule file or folder to try.")],
    names: Annotated[list[str], typer.Argument(metavar="SRC...", help=PAGES_HELP)],
    url: Annotated[str | None, typer.Option(help="URL that the files came from.")] = None,
) -> None:
    """Try rules on pages: which match, what their fields find, and what text is lost and gained."""
    from bonmun.app.commands.shared.open_pages import open_inputs
    from bonmun.options import DEFAULTS
    from bonmun.page import Page
    from bonmun.pipeline import extract
    from bonmun.rules.rule_set import RuleSet, load_rules

    with wrong_use(), output_to(None):
        rule_set = load_rules(rules)
        own = RuleSet(tuple(rule for rule in rule_set.rules if not rule.is_shipped), rule_set.digest)
        open_pages = open_inputs(names, DEFAULTS, url)
        matched = failed = 0
        for number in range(len(open_pages)):
            source = open_pages.load(number)
            try:
                page = Page.parse(source.body, source.url, source.encoding)
                found = own.find(page)
                matched += bool(found)
                without, with_rules = extract(page), extract(page, rules=rule_set)
            except BonmunError as problem:
                complain(f"{make_readable(source.name)}: {problem}")
                failed += 1
                continue
            show(f"{make_readable(source.name)}: {', '.join(rule.name for rule in found) or 'no rule matches'}")
            if found:
                show(_compare(without, with_rules))
        show(f"{matched:,} of {say_count(len(open_pages), 'page')} matched, {failed:,} failed.")
    raise typer.Exit(1 if failed else 0)


def _compare(before: Document, after: Document) -> str:
    """Return what the rules found, and the blocks that were lost and gained."""
    from bonmun.rules.apply import RuleUse

    lines = [
        f"{use.rule}: {use.field} {use.effect} ({use.elements})"
        for use in after.labels.evidence
        if isinstance(use, RuleUse)
    ]
    for name in ("title", "author", "date"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            lines.append(f"{name}: {old} → {new}")
    old_texts, new_texts = ([block.text for block in doc.blocks] for doc in (before, after))
    for sign, texts, others in (("-", old_texts, set(new_texts)), ("+", new_texts, set(old_texts))):
        changed = [text for text in texts if text not in others]
        lines += [f"{sign} {' '.join(text.split())[:MAX_SHOWN_CHARS]}" for text in changed[:MAX_SHOWN_BLOCKS]]
        if len(changed) > MAX_SHOWN_BLOCKS:
            lines.append(f"{sign} {say_count(len(changed) - MAX_SHOWN_BLOCKS, 'more block')}")
    return "\n".join(f"  {make_readable(line)}" for line in lines)
