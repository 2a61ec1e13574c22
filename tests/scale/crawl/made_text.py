"""Generated sentences in five languages; the same number always gives the same text."""

from __future__ import annotations

from random import Random

__all__ = ["LANGUAGES", "make_paragraphs", "make_title"]

# For each language: templates of sentences and titles, and the words for their slots.
LANGUAGES: dict[str, dict[str, list[str]]] = {
    "en": {
        "sentence": [
            "{when}, {who} {did} {what} of {name} {where}.",
            "{who} {did} {what}, although nobody but {name} had asked for it.",
            "It was {when} that {name} and {who} {did} {what}.",
            "Those who live {where} remember {name} and how {who} {did} {what}.",
        ],
        "title": ["How {who} {did} {what}", "{what}, {where}"],
        "who": "the ferryman|a young clockmaker|the village council|her elder sister|an engineer from the coast".split(
            "|"
        ),
        "did": "repaired|described|painted|measured|found again".split("|"),
        "what": "the old lighthouse lamp|a map of the marshes|seven copper kettles|the longest bridge|a forgotten letter".split(
            "|"
        ),
        "where": "behind the harbour|on the northern slope|beside the empty mill|under the railway arches".split("|"),
        "when": "in the spring of that year|late one evening|after the flood|on the day before market".split("|"),
    },
    "ko": {
        "sentence": [
            "{when} {name}의 {who} {where} {what} {did}.",
            "{who} {name} 말고는 아무도 부탁하지 않았지만 {what} {did}.",
            "{name} 마을 사람들은 {when} {who} {what} {did}고 기억한다.",
            "{where} 사는 사람이라면 누구나 {name}에서 {who} {what} {did}는 이야기를 안다.",
        ],
        "title": ["{who} {what} {did}", "{where} 만난 이야기"],
        "who": "늙은 뱃사공이|젊은 시계공이|마을 회의가|그의 누이가|바닷가에서 온 기사가".split("|"),
        "did": "고쳤다|그렸다|재어 보았다|다시 찾아냈다|자세히 적었다".split("|"),
        "what": "오래된 등대의 불빛을|늪지의 지도를|구리 주전자 일곱 개를|가장 긴 다리를|잊힌 편지 한 통을".split("|"),
        "where": "항구 뒤편에서|북쪽 비탈에서|빈 방앗간 옆에서|철길 아래에서".split("|"),
        "when": "그해 봄|어느 늦은 저녁|홍수가 지난 뒤|장날 하루 전".split("|"),
    },
    "ja": {
        "sentence": [
            "{when}、{name}の{who}は{where}{what}を{did}。",
            "{name}の{who}は誰にも頼まれずに{what}を{did}。",
            "{name}の{where}暮らす人々は、{when}に{who}が{what}を{did}ことを覚えている。",
        ],
        "title": ["{who}と{what}", "{where}見つけた{what}"],
        "who": "渡し守|若い時計職人|村の寄り合い|姉|海辺から来た技師".split("|"),
        "did": "直した|描いた|測った|もう一度見つけた".split("|"),
        "what": "古い灯台の明かり|湿地の地図|七つの銅のやかん|いちばん長い橋|忘れられた手紙".split("|"),
        "where": "港の裏で|北の斜面で|空の水車小屋のそばで".split("|"),
        "when": "その年の春|ある晩遅く|洪水のあと|市の前の日".split("|"),
    },
    "de": {
        "sentence": [
            "{when} {did} {who} {what} {where} bei {name}.",
            "Niemand außer {name} hatte darum gebeten, und doch {did} {who} {what}.",
            "Wer {where} bei {name} wohnt, der weiß noch: {when} {did} {who} {what}.",
        ],
        "title": ["Wie {who} {what} rettete", "{what}, {where}"],
        "who": "der Fährmann|eine junge Uhrmacherin|der Gemeinderat|die ältere Schwester".split("|"),
        "did": "reparierte|beschrieb|malte|vermaß".split("|"),
        "what": "die alte Lampe des Leuchtturms|eine Karte der Sümpfe|sieben Kupferkessel|die längste Brücke".split(
            "|"
        ),
        "where": "hinter dem Hafen|am Nordhang|neben der leeren Mühle".split("|"),
        "when": "Im Frühling jenes Jahres|Spät am Abend|Nach dem Hochwasser".split("|"),
    },
    "ru": {
        "sentence": [
            "{when} {who} по имени {name} {did} {what} {where}.",
            "Никто, кроме {name}, об этом не просил, но {who} {did} {what}.",
            "Жители {name} помнят, как {when} {who} {did} {what}.",
        ],
        "title": ["Как {who} {did} {what}", "{what} {where}"],
        "who": "старый паромщик|молодой часовщик|инженер с побережья|сельский учитель".split("|"),
        "did": "починил|описал|нарисовал|измерил".split("|"),
        "what": "лампу маяка|карту болот|семь медных чайников|самый длинный мост".split("|"),
        "where": "за гаванью|на северном склоне|возле пустой мельницы".split("|"),
        "when": "весной того года|поздно вечером|после наводнения".split("|"),
    },
}

# Parts of names; they make almost all sentences of a large site different.
SYLLABLES = {
    "en": "ka lo mi ren tha vor del us bi nar".split(),
    "ko": list("가나라마바사아자하소루미도온별솔"),
    "ja": list("アイカキサタナハマヤラミトロ"),
    "de": "stein wald au berg hol mar fen rieth bach ulm".split(),
    "ru": "ка ло ми рен та вор дел ус би нар".split(),
}


SLOTS = ("who", "did", "what", "where", "when")
MIXER = 0x9E3779B97F4A7C15  # an odd number whose multiples are spread evenly over 64 bits


def _fill(lang: str, form: str, number: int) -> str:
    """Return a sentence or a title; the digits of the number in a mixed radix system choose the words."""
    words, syllables = LANGUAGES[lang], SYLLABLES[lang]
    number, which = divmod(number, len(words[form]))
    chosen = {}
    for slot in SLOTS:
        number, word = divmod(number, len(words[slot]))
        chosen[slot] = words[slot][word]
    size = len(syllables)
    name = syllables[number % size] + syllables[number // size % size] + syllables[number // size**2 % size]
    made = words[form][which].format_map(chosen | {"name": name.capitalize()})
    return made[0].upper() + made[1:]


def make_title(lang: str, seed: int) -> str:
    """Return a title."""
    return _fill(lang, "title", ((seed + 1) * MIXER & (1 << 64) - 1) >> 16)


def make_paragraphs(lang: str, seed: int, count: int = 4) -> list[str]:
    """Return `count` paragraphs of three to five sentences."""
    random = Random(seed)
    gap = "" if lang == "ja" else " "
    sizes = [3 + random.getrandbits(8) % 3 for _ in range(count)]
    return [gap.join([_fill(lang, "sentence", random.getrandbits(64)) for _ in range(size)]) for size in sizes]
