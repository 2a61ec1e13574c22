"""Writer of random synthetic pages in one language and the style of one site."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bonmun.lab.train.synthetic.words import LANGUAGES, ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

__all__ = ["PageWriter"]

INLINE = ("b", "strong", "i", "em", "code", "a", "span", "font", "u")
NAMELESS_SHARE = 0.2  # of all pages have no classes or ids
HASHED_SHARE = 0.1  # of all pages have class names made by a build tool
COMPOUND_SHARE = 0.15  # of all words are compounds, so that few occur twice on a page
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
CODE_WORDS = "let run self value count path name load index state queue next items config parse buffer key".split()


class PageWriter:
    """Writer of words, sentences and elements; the same random generator gives the same output."""

    def __init__(self, code: str, rng: Random) -> None:
        self.language = LANGUAGES[code]
        self.rng = rng
        style = rng.random()
        self.nameless = style < NAMELESS_SHARE
        self.hashed = NAMELESS_SHARE <= style < NAMELESS_SHARE + HASHED_SHARE
        self.site = self.name()

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < share

    def count(self, least: int, most: int) -> int:
        """Return a random integer in a range, small ones more often."""
        return least + int((most - least + 1) * self.rng.random() ** 1.6)

    def pick(self, options: Sequence[str]) -> str:
        """Return one of some strings."""
        return self.rng.choice(options)

    def maybe(self, share: float, make: Callable[[PageWriter], str]) -> str:
        """Make a part of the page with this probability, else return an empty string."""
        return make(self) if self.chance(share) else ""

    def tag(self, shape: str, *inner: str, **attributes: str | int) -> str:
        """Make an element: `div.post|entry|` is a div of class post, of class entry, or without a class.

        On a nameless site, it has neither class nor id.
        """
        name, _, classes = shape.partition(".")
        if class_ := self._choose_class(classes.split("|")):
            attributes["class"] = class_
        if self.nameless:
            attributes.pop("id", None)
        written = "".join(f' {key}="{value}"' for key, value in attributes.items())
        return f"<{name}{written}>{''.join(inner)}</{name}>"

    def _choose_class(self, names: Sequence[str]) -> str:
        name = self.pick(names)
        if self.nameless or not name:
            return ""
        return "css-" + "".join(self.rng.choices(LETTERS, k=6)) if self.hashed else name

    def link(self, text: str, shape: str = "a") -> str:
        """Make a link."""
        return self.tag(shape, text, href=f"/{self.pick(CODE_WORDS)}/{self.rng.randint(1, 99999)}")

    def maybe_linked(self, text: str) -> str:
        """Return the text, often as a link."""
        return self.link(text) if self.chance(0.4) else text

    def role(self, role: str) -> str:
        """Return the interface word for a role, such as the text of a button."""
        return self.language.interface[ROLES.index(role)]

    def label(self) -> str:
        """Return a menu entry."""
        return self.language.space.join(self.rng.choices(self.language.menu, k=self.count(1, 2)))

    def name(self) -> str:
        """Return a person's name, a nickname, or a brand."""
        name = self.pick(self.language.names)
        extra = self.pick(self.language.names) if self.chance(0.3) else str(self.rng.randint(1, 99))
        return f"{name} {extra}" if self.chance(0.3) else name

    def words(self, least: int, most: int) -> str:
        """Return random words, the first capitalised."""
        words = self.rng.sample(self.language.words, self.rng.randint(least, most))
        for at in range(len(words)):
            if self.chance(COMPOUND_SHARE):
                words[at] += self.pick(self.language.words).lower()
        text = self.language.space.join(words)
        return text[:1].upper() + text[1:]

    def title(self) -> str:
        """Return a headline."""
        more = self.words(1, 3)
        tail = self.pick(("", "", "", "?", "!", f": {more}", f" ({more})", f" – {more}"))
        return self.words(3, 9) + tail

    def sentence(self, most: int = 24) -> str:
        """Return a sentence, sometimes with commas, numbers or quotes."""
        language = self.language
        parts = [self.words(3, max(4, self.count(4, most)))]
        if self.chance(0.35):
            parts.append(language.comma + language.space + self.words(2, 8).lower())
        if self.chance(0.15):
            parts.append(f"{language.space}{self.number()}")
        parts.append(language.space + self.pick(language.last))
        stop = language.stops[0] if self.chance(0.88) else self.pick(language.stops)
        text = "".join(parts) + stop
        return f"“{text}”" if self.chance(0.04) else text

    def text(self, least: int = 1, most: int = 6) -> str:
        """Return some sentences."""
        space = self.language.space
        return space.join(self.sentence() for _ in range(self.count(least, most)))

    def marked_up(self, text: str) -> str:
        """Return the text, often with a few words linked, in bold, or as code."""
        if self.chance(0.6):
            return text
        tag, space = self.pick(INLINE), self.language.space
        words = text.split(space) if space else list(text)
        start = self.rng.randrange(len(words))
        stop = start + self.count(1, 6)
        few = space.join(words[start:stop])
        inside = self.link(few) if tag == "a" else self.tag(tag, few)
        return space.join([*words[:start], inside, *words[stop:]])

    def number(self) -> str:
        """Return a formatted number."""
        value = self.rng.randint(1, 10 ** self.rng.randint(1, 5))
        return self.pick((str(value), f"{value:,}", f"{value / 10:.1f}", f"{value}%"))

    def price(self) -> str:
        """Return a price."""
        value = self.rng.randint(2, 900)
        return self.pick((f"${value}.99", f"€ {value},00", f"{value * 100:,}원", f"¥{value * 10:,}", f"{value} ₽"))

    def date(self) -> str:
        """Return a date, often with the time."""
        year, month, day = self.rng.randint(1998, 2026), self.rng.randint(1, 12), self.rng.randint(1, 28)
        clock = f"{self.rng.randint(0, 23):02}:{self.rng.randint(0, 59):02}"
        text = self.pick((f"{year}-{month:02}-{day:02}", f"{year}.{month:02}.{day:02}", f"{day:02}.{month:02}.{year}"))
        return f"{text} {clock}" if self.chance(0.5) else text

    def code_line(self) -> str:
        """Return a line of code, escaped for HTML."""
        first, second, third = self.rng.choices(CODE_WORDS, k=3)
        value = self.rng.randint(0, 999)
        line = self.pick(
            (
                f"{first}.{second}({third}, {value})",
                f"let {first} = {second}[{value}];",
                f"if {first} < {value} && {second} {{",
                f'print("{first} {second}: ", {third})',
                f"# {first} the {second} before {third}",
                f"$ {first} --{second}={third}",
                f"for {first} in {second}.{third}():",
                "}",
            )
        )
        return escape("    " * self.count(0, 2) + line, quote=False)
