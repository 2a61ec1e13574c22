"""`bonmun rules list` and `bonmun rules show`: which rules there are, and what they say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.shell import output_to, show, wrong_use
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from bonmun.rules.records import SiteRule

__all__ = ["RulesOption", "rules_list_command", "rules_show_command"]

RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="PATH", help="Your rule file or folder, besides the shipped rules.")
]
MAX_SHOWN_HOSTS = 3
FIELDS = ("main", "within", "keep", "drop", "title", "authors", "date", "posts", "next")


def rules_list_command(rules: RulesOption = None) -> None:
    """List the rules: name, file, and the pages that each is for. Yours come first."""
    with wrong_use(), output_to(None):
        from bonmun.rules.rule_set import load_rules

        found = load_rules(rules).rules
        widths = [max((len(text) for text in texts), default=0) for texts in zip(*map(_describe, found), strict=True)]
        for rule in found:
            name, does, matches = _describe(rule)
            show(f"{name:{widths[0]}}  {does:{widths[1]}}  {matches}")


def rules_show_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a rule, as `bonmun rules list` shows it.")],
    rules: RulesOption = None,
) -> None:
    """Show a rule as TOML, with the file and line that it is from."""
    with wrong_use(), output_to(None):
        from bonmun.rules.rule_set import load_rules
        from bonmun.rules.write import write_rule

        found = [rule for rule in load_rules(rules).rules if rule.name == name]
        if not found:
            raise BadConfig(f"There is no rule {name!r}: `bonmun rules list` lists all.")
        for rule in found:
            show(f"# {'shipped, ' if rule.is_shipped else ''}{rule.where}\n{write_rule(rule)}")


def _describe(rule: SiteRule) -> tuple[str, str, str]:
    """Return the name of a rule, its fields, and the pages that it is for."""
    does = [key for key in FIELDS if getattr(rule, key)]
    matches = list(rule.hosts[:MAX_SHOWN_HOSTS])
    if len(rule.hosts) > MAX_SHOWN_HOSTS:
        matches.append(f"and {len(rule.hosts) - MAX_SHOWN_HOSTS} more")
    matches += [f"generator {rule.generator}"] if rule.generator else []
    matches += [f"has {rule.has}"] if rule.has else []
    matches += [f"needs {rule.needs}"] if rule.needs else []
    return rule.name, " ".join(does), ", ".join(matches)
