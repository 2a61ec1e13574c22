"""Detect the language of a text: by its script if possible, else by a detector, with `<html lang>` as a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.ranking import MetadataField
from bonmun.metadata.scans import compile_char_counter, compile_char_test
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from turbohtml.detect import LanguageMatch

    from bonmun.page import Page

__all__ = ["find_language"]

# ISO 639-3 codes, which the detector returns, and their ISO 639-1 codes.
TWO_LETTERS_TABLE = """
afr:af amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en epo:eo
est:et fas:fa fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn
kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:no ori:or
pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te
tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
TWO_LETTERS = {code[:3]: code[4:] for code in TWO_LETTERS_TABLE.split()}
SCRIPT_CHARS, DETECTED_CHARS = 2000, 800  # characters at the start of the text that script test and detector read
MIN_CHARS = 40  # shorter texts are not enough to detect a language
MIN_SCRIPT_SHARE = 0.4  # of a text, in its main script: names, code and quotations may be in another
MIN_KANA_SHARE = 0.05  # of the kana and Chinese characters of a Japanese text
EXTRA_CJK_WEIGHT = 1.5  # of a Hangul syllable or a Chinese character, added to the 1 of any letter
# Minimum confidence of the detector, without and with an <html lang>.
MIN_CONFIDENCE, MIN_CONFIDENCE_AGAINST_LANG = 0.2, 0.9
# The confidence of a language by its source.
CONFIDENCE = {"script": 0.99, "html lang and text": 0.99, "html lang": 0.7}
# The language in <html lang>, without the country: "en" of "en-GB".
CODE = compile_later("[a-z]{2,3}")
# Kana, Chinese characters and Hangul syllables.
holds_cjk = compile_char_test(compile_later("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"))
count_cjk = compile_char_counter(
    compile_later("[\u3040-\u30ff]"), compile_later("[\u3400-\u9fff]"), compile_later("[\uac00-\ud7a3]")
)
# Frequent words by language. If a text has two of those of the declared language, the slower detector is not needed.
FREQUENT_WORDS = {
    "en": (" the ", " and ", " of ", " to "),
    "de": (" und ", " der ", " nicht ", " ist "),
    "fr": (" les ", " des ", " est ", " dans "),
    "es": (" los ", " las ", " que ", " una "),
}
CHARS_PER_FREQUENT_WORD = 150  # at most, on average


def find_language(page: Page, text: str) -> MetadataField | None:
    """Return the language of the text, or of `<html lang>` if the text is too short."""
    declared = CODE.match((page.attr(0, "lang") or "").strip().lower()) if page.tags else None
    sample = text[:SCRIPT_CHARS]
    if len(sample) >= MIN_CHARS:
        if by_script := _detect_by_script(sample):
            return _make_field(by_script, "script")
        sample = sample[:DETECTED_CHARS]
        if declared and _has_frequent_words(sample, declared[0]):
            return _make_field(declared[0], "html lang and text")
        found = _detect(sample)
        if found.language and found.confidence > (MIN_CONFIDENCE_AGAINST_LANG if declared else MIN_CONFIDENCE):
            return MetadataField(TWO_LETTERS.get(found.language, found.language), "text", round(found.confidence, 3))
    return _make_field(declared[0], "html lang") if declared else None


def _detect(sample: str) -> LanguageMatch:
    from turbohtml.detect import detect_language  # imported late: few texts need it

    return detect_language(sample)


def _make_field(language: str, source: str) -> MetadataField:
    return MetadataField(language, source, CONFIDENCE[source])


def _has_frequent_words(sample: str, language: str) -> bool:
    """Whether a text has enough frequent words of a language."""
    counts = [sample.count(word) for word in FREQUENT_WORDS.get(language, ())]
    return sum(map(bool, counts)) > 1 and sum(counts) * CHARS_PER_FREQUENT_WORD > len(sample)


def _detect_by_script(sample: str) -> str | None:
    """Return "ko" for Hangul, "ja" for kana with Chinese characters, "zh" for Chinese characters alone, else None."""
    if sample.isascii() or not holds_cjk(sample):
        return None
    kana, han, hangul, letters = count_cjk(sample)
    weight = letters + EXTRA_CJK_WEIGHT * (hangul + kana + han)
    if hangul > kana and (EXTRA_CJK_WEIGHT + 1) * hangul > MIN_SCRIPT_SHARE * weight:
        return "ko"
    if (EXTRA_CJK_WEIGHT + 1) * (kana + han) > MIN_SCRIPT_SHARE * weight:
        return "ja" if kana > MIN_KANA_SHARE * (kana + han) else "zh"
    return None
