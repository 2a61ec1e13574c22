"""The language of a text: by its script where that is enough, else by a detector; what the page says is a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.metadata.ranking import MetadataField
from bonmun.metadata.scans import count_classes, look_for
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from turbohtml.detect import LanguageMatch

    from bonmun.page import Page

__all__ = ["find_language"]

# ISO 639-3 codes that detection gives, and the two-letter ones that everybody writes.
TWO_LETTERS_TABLE = """
afr:af amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en epo:eo
est:et fas:fa fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn
kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:no ori:or
pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te
tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
TWO_LETTERS = {code[:3]: code[4:] for code in TWO_LETTERS_TABLE.split()}
SCRIPT_CHARS, DETECTED_CHARS = 2000, 800  # from the start of a text, that its script and its language are told from
ENOUGH_CHARS = 40  # to tell a language from
SCRIPT_SHARE = 0.4  # of a text that is in a script: there may be names, code and quotations in another
KANA_SHARE = 0.05  # of a Japanese text's characters that are kana at least
MORE_LETTERS = 1.5  # that a Hangul syllable or a Chinese character counts for, beside the one that it is
LEAST_SURE, LEAST_SURE_BESIDE_HTML = 0.2, 0.9  # how sure the detector must be, alone and against what <html lang> says
# The confidence of a language by its source.
CONFIDENCE = {"script": 0.99, "html lang and text": 0.99, "html lang": 0.7}
# A language as <html lang> says it, without the country: "en" of "en-GB".
CODE = compile_later("[a-z]{2,3}")
# One kana, Chinese character or Hangul syllable; how many there are of each.
holds_cjk = look_for(compile_later("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"))
count_cjk = count_classes(
    compile_later("[\u3040-\u30ff]"), compile_later("[\u3400-\u9fff]"), compile_later("[\uac00-\ud7a3]")
)
# Two of these words in a text of the language that the page says, and detection, which takes longer, is not needed.
FREQUENT = {
    "en": (" the ", " and ", " of ", " to "),
    "de": (" und ", " der ", " nicht ", " ist "),
    "fr": (" les ", " des ", " est ", " dans "),
    "es": (" los ", " las ", " que ", " una "),
}
CHARS_PER_FREQUENT = 150  # a text has one of them in so many characters


def find_language(page: Page, text: str) -> MetadataField | None:
    """The language of the text where there is enough to tell, else what `<html lang>` says."""
    declared = CODE.match((page.attr(0, "lang") or "").strip().lower()) if page.tags else None
    sample = text[:SCRIPT_CHARS]
    if len(sample) >= ENOUGH_CHARS:
        if written := _detect_by_script(sample):
            return _make_field(written, "script")
        sample = sample[:DETECTED_CHARS]
        if declared and _has_frequent_words(sample, declared[0]):
            return _make_field(declared[0], "html lang and text")
        found = _detect(sample)
        if found.language and found.confidence > (LEAST_SURE_BESIDE_HTML if declared else LEAST_SURE):
            return MetadataField(TWO_LETTERS.get(found.language, found.language), "text", round(found.confidence, 3))
    return _make_field(declared[0], "html lang") if declared else None


def _detect(sample: str) -> LanguageMatch:
    from turbohtml.detect import detect_language  # few texts come so far

    return detect_language(sample)


def _make_field(language: str, source: str) -> MetadataField:
    return MetadataField(language, source, CONFIDENCE[source])


def _has_frequent_words(sample: str, language: str) -> bool:
    """Whether a text has the frequent words of a language."""
    counts = [sample.count(word) for word in FREQUENT.get(language, ())]
    return sum(map(bool, counts)) > 1 and sum(counts) * CHARS_PER_FREQUENT > len(sample)


def _detect_by_script(sample: str) -> str | None:
    """Korean, Japanese and Chinese, by their characters: Hangul, kana, Han without either."""
    if sample.isascii() or not holds_cjk(sample):
        return None
    kana, han, hangul, letters = count_cjk(sample)
    weight = letters + MORE_LETTERS * (hangul + kana + han)
    if hangul > kana and (MORE_LETTERS + 1) * hangul > SCRIPT_SHARE * weight:
        return "ko"
    if (MORE_LETTERS + 1) * (kana + han) > SCRIPT_SHARE * weight:
        return "ja" if kana > KANA_SHARE * (kana + han) else "zh"
    return None
