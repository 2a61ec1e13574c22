"""Which language a text is in: by its script where that is enough, else by a detector; what the page says is a hint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml.detect import LanguageDetection, detect_language

from bonmun.metadata.ranking import Fact

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["language_of"]

# ISO 639-3 codes that detection gives, and the two-letter ones that everybody writes.
TWO_LETTERS_TABLE = """
afr:af amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en epo:eo
est:et fas:fa fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn
kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:no ori:or
pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te
tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
TWO_LETTERS = {code[:3]: code[4:] for code in TWO_LETTERS_TABLE.split()}
SAMPLE = 2000  # characters that the script is told from
DETECTED = 800  # characters that the language is
ENOUGH = 40  # characters
SHARE = 0.4  # of a text in a script: there may be names, code and quotations in another
SAYS = 1.5  # letters that a syllable of Hangul or a Chinese character says more than a letter does
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
HANGUL = re.compile("[\uac00-\ud7a3]")
KANA = re.compile("[\u3040-\u30ff]")
HAN = re.compile("[\u3400-\u9fff]")
LETTER = re.compile(r"[^\W\d_]")
LANGUAGES = LanguageDetection()
# Two of these words in a text of the language that the page says, and detection, which takes longer, is not needed.
FREQUENT = {
    "en": (" the ", " and ", " of ", " to "),
    "de": (" und ", " der ", " nicht ", " ist "),
    "fr": (" les ", " des ", " est ", " dans "),
    "es": (" los ", " las ", " que ", " una "),
}
OFTEN = 150  # characters: one in so many is such a word


def language_of(page: Page, text: str) -> Fact | None:
    """The language of the text where there is enough to tell, else what `<html lang>` says."""
    said = re.match("[a-z]{2,3}", (page.attr(0, "lang") or "").strip().lower()) if page.tags else None
    sample = text[:SAMPLE]
    if len(sample) >= ENOUGH:
        if written := _by_script(sample):
            return Fact(written, "script", 0.99)
        if said and _confirms(said[0], sample[:DETECTED]):
            return Fact(said[0], "html lang and text", 0.99)
        found = detect_language(sample[:DETECTED], LANGUAGES)
        if found.language and found.confidence > (0.9 if said else 0.2):
            return Fact(TWO_LETTERS.get(found.language, found.language), "text", round(found.confidence, 3))
    return Fact(said[0], "html lang", 0.7) if said else None


def _confirms(language: str, sample: str) -> bool:
    """Whether a text has the frequent words of a language."""
    counts = [sample.count(word) for word in FREQUENT.get(language, ())]
    return sum(map(bool, counts)) > 1 and sum(counts) * OFTEN > len(sample)


def _by_script(sample: str) -> str | None:
    """Korean, Japanese and Chinese, by their characters: Hangul, kana, Han without either."""
    if sample.isascii() or not CJK.search(sample):
        return None
    hangul, kana, han = (len(pattern.findall(sample)) for pattern in (HANGUL, KANA, HAN))
    letters = len(LETTER.findall(sample)) + SAYS * (hangul + kana + han)
    if hangul > kana and (SAYS + 1) * hangul > SHARE * letters:
        return "ko"
    if (SAYS + 1) * (kana + han) > SHARE * letters:
        return "ja" if kana > 0.05 * (kana + han) else "zh"
    return None
