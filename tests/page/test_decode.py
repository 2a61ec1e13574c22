from __future__ import annotations

import codecs
import random
from contextlib import suppress

import pytest

from bonmun import Options, Page, extract
from bonmun.errors import BadConfig, EmptyInput, NotHtml, Undecodable
from bonmun.page.parse.decode import MAGIC, decode
from samples import in_one_test
from timing import assert_linear

KOREAN = (
    "한국어 위키백과의 첫 문서는 2002년에 만들어졌다. 그 뒤로 많은 사람이 글을 고치고 더하면서 오늘의 모습이 되었고, "
    "지금은 역사와 과학, 예술과 지리를 다루는 글이 수십만 편에 이른다.\n"
    "누구나 읽을 수 있고 누구나 고칠 수 있다는 원칙은 처음과 같다."
)
# of these syllables, 똠, 펲 and 쀍 are in CP949 but not in EUC-KR
CP949_KOREAN = (
    "어제 저녁 마당에서 똠방각하가 펲시콜라를 마시며 동네 아이들에게 옛날이야기를 들려주었다.\n"
    "아이들은 숨을 죽이고 귀를 기울였고, 뒷산에서는 부엉이가 쀍쀍 울었다."
)
JAPANESE = (
    "東京の下町に小さな本屋があります。店主は毎朝七時に店を開け、棚の本を一冊ずつ丁寧に並べ直します。\n"
    "近所の子どもたちは学校の帰りに立ち寄り、好きな絵本を読みながら夕方まで過ごします。\n"
    "インターネットで何でも買える時代になっても、この店には新しい客が絶えません。"
)
SIMPLIFIED = (
    "北京的冬天很冷，但是胡同里的早晨总是热闹的。卖豆浆的老人天不亮就推着车出来，邻居们披着棉衣排队，一边跺脚一边聊天。\n"
    "孩子们背着书包从门里跑出来，手里拿着刚出锅的油条。太阳升起来的时候，屋顶上的雪慢慢化了，水滴顺着瓦片落到院子里。"
)
TRADITIONAL = (
    "臺北的夜市從傍晚開始熱鬧起來，攤販把燈點亮，香味飄滿整條街。學生下課以後成群結隊地來吃晚餐，有人喜歡蚵仔煎。\n"
    "老闆一邊翻鍋一邊招呼客人，動作熟練得像跳舞一樣。下雨的時候，大家擠在棚子底下，聽著雨聲喝熱湯，覺得這座城市特別溫暖。"
)
RUSSIAN = (
    "Зимой в нашем городе рано темнеет, и уже в четыре часа на улицах зажигают фонари. Люди торопятся домой, "
    "несут хлеб, а дети катаются с горки возле школы до самого ужина.\n"
    "В старой библиотеке на площади тепло и тихо: читатели сидят под зелёными лампами, листают газеты и пьют чай."
)
POLISH = (
    "Zimą w naszym mieście wcześnie robi się ciemno, a już o czwartej na ulicach zapalają się latarnie. Ludzie spieszą "
    "się do domów, niosą chleb i mleko, a dzieci zjeżdżają na sankach z górki koło szkoły aż do kolacji.\n"
    "W starej bibliotece jest ciepło i cicho: czytelnicy siedzą pod lampami, przeglądają książki, piją herbatę. "
    "Nikt się nie śpieszy, bo za oknem pada śnieg."
)
GREEK = (
    "Τον χειμώνα στην πόλη μας νυχτώνει νωρίς και από τις τέσσερις ανάβουν τα φώτα στους δρόμους. Οι άνθρωποι "
    "βιάζονται να γυρίσουν στο σπίτι, κρατούν ψωμί και γάλα, και τα παιδιά παίζουν δίπλα στο σχολείο.\n"
    "Στην παλιά βιβλιοθήκη έχει ζέστη και ησυχία, οι αναγνώστες διαβάζουν εφημερίδες και βιβλία και πίνουν τσάι."
)
TURKISH = (
    "Kışın şehrimizde hava erken kararır ve saat dörtte sokaklarda ışıklar yanar. İnsanlar eve gitmek için acele eder, "
    "ekmek ve süt taşır, çocuklar akşam yemeğine kadar okulun yanındaki yokuşta kayar.\n"
    "Meydandaki eski kütüphane sıcak ve sessizdir: okuyucular yeşil lambaların altında oturur, çay içer."
)
GERMAN = (
    "Im Winter wird es in unserer Stadt früh dunkel, und schon um vier Uhr gehen auf den Straßen die Laternen an. "
    "Die Leute eilen nach Hause, tragen Brot und Milch, und die Kinder rodeln auf dem Hügel hinter der Schule.\n"
    "In der alten Bücherei ist es warm und still: Die Leser sitzen unter grünen Lampen, blättern in Büchern."
)
FRENCH = (
    "L’hiver, la nuit tombe tôt dans notre ville et dès quatre heures les réverbères s’allument. Les gens se hâtent de "
    "rentrer – ils portent du pain et du lait – et les enfants font de la luge près de l’école jusqu’au dîner.\n"
    "Les lecteurs feuillettent des œuvres à dix €, boivent du thé… Personne n’est pressé, car la neige tombe dehors."
)
THAI = (
    "ในฤดูหนาวเมืองของเรามืดเร็ว และตั้งแต่สี่โมงเย็นไฟถนนก็เริ่มสว่าง ผู้คนรีบกลับบ้านพร้อมกับขนมปังและนม\n"
    "ห้องสมุดเก่าที่จัตุรัสอบอุ่นและเงียบสงบ ผู้อ่านนั่งอยู่ใต้โคมไฟสีเขียว ดื่มชาจากกระติกน้ำร้อน"
)

# label, Python's codec for it, a text
LEGACY = [
    ("euc-kr", "euc_kr", KOREAN),
    ("cp949", "cp949", CP949_KOREAN),
    ("shift_jis", "shift_jis", JAPANESE),
    ("euc-jp", "euc_jp", JAPANESE),
    ("iso-2022-jp", "iso2022_jp", JAPANESE),
    ("gb18030", "gb18030", SIMPLIFIED + "𠮷是四个字节。"),
    ("gbk", "gbk", SIMPLIFIED + "朱镕基"),  # 镕 is in GBK but not in GB2312
    ("big5", "big5", TRADITIONAL),
    ("windows-1251", "cp1251", RUSSIAN),
    ("koi8-r", "koi8_r", RUSSIAN),
    ("iso-8859-1", "latin_1", GERMAN),
    ("iso-8859-2", "iso8859_2", POLISH),
    ("iso-8859-7", "iso8859_7", GREEK),
    ("iso-8859-9", "iso8859_9", TURKISH),
    ("windows-1252", "cp1252", FRENCH),
    ("windows-874", "cp874", THAI),
]
LEGACY_IDS = [label for label, *_ in LEGACY]
BY_LABEL = {label: (codec, text) for label, codec, text in LEGACY}
UNICODE = [KOREAN, JAPANESE, SIMPLIFIED, RUSSIAN, GREEK, TURKISH, GERMAN, THAI, "<p>Plain ASCII, nothing else in it."]
UNICODE_IDS = "ko ja zh ru el tr de th ascii".split()

HEADS = {
    "meta": '<meta charset="{}">',
    "bare meta": "<meta charset={}>",
    "single quotes": "<META CHARSET = '{}' />",
    "http-equiv": '<meta http-equiv="Content-Type" content="text/html; charset={}">',
    "content first": '<meta content="text/html;charset={}" http-equiv=content-type>',
    "xml": '<?xml version="1.0" encoding="{}"?>',
}


def page(text: str, head: str = "") -> str:
    declaration, head = (head, "") if head.startswith("<?xml") else ("", head)
    return f"{declaration}<html><head>{head}<title>{text[:9]}</title></head><body><p>{text}</p></body></html>"


# --- correct declarations --------------------------------------------------------------------------------------------


@in_one_test("head", HEADS.values(), ids=HEADS.keys())
@in_one_test(("label", "codec", "text"), LEGACY, ids=LEGACY_IDS)
def test_a_correct_declaration_is_used(label: str, codec: str, text: str, head: str) -> None:
    html = page(text, head.format(label.upper()))
    assert decode(html.encode(codec))[0] == html


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY, ids=LEGACY_IDS)
def test_a_correct_encoding_can_be_given(label: str, codec: str, text: str) -> None:
    html = page(text)
    assert decode(html.encode(codec), label)[0] == html


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY, ids=LEGACY_IDS)
def test_a_given_encoding_takes_precedence(label: str, codec: str, text: str) -> None:
    html = page(text, '<meta charset="windows-1253">')
    assert decode(html.encode(codec), label)[0] == html


@pytest.mark.parametrize(
    ("alias", "label", "name"),
    [
        ("ks_c_5601-1987", "cp949", "euc-kr"),
        ("KS_C_5601-1987", "cp949", "euc-kr"),
        ("cp949", "cp949", "euc-kr"),
        ("ms949", "cp949", "euc-kr"),
        ("uhc", "cp949", "euc-kr"),
        ("euckr", "cp949", "euc-kr"),
        (" EUC-KR ", "cp949", "euc-kr"),
        ("windows-949", "cp949", None),
        ("korean", "cp949", None),
        ("x-sjis", "shift_jis", None),
        ("sjis", "shift_jis", None),
        ("cp932", "shift_jis", "shift_jis"),
        ("x-euc-jp", "euc-jp", None),
        ("csiso2022jp", "iso-2022-jp", None),
        ("gb2312", "gbk", None),
        ("gb_2312-80", "gbk", "gbk"),
        ("x-gbk", "gbk", None),
        ("cp936", "gbk", "gbk"),
        ("cp950", "big5", "big5"),
        ("big5-hkscs", "big5", None),
        ("cp1251", "windows-1251", None),
        ("x-cp1251", "windows-1251", None),
        ("koi8", "koi8-r", None),
        ("latin2", "iso-8859-2", None),
        ("greek", "iso-8859-7", None),
        ("latin5", "iso-8859-9", None),
        ("latin1", "iso-8859-1", None),
        ("cp874", "windows-874", "windows-874"),
        ("tis-620", "windows-874", None),
    ],
)
def test_encodings_have_aliases(alias: str, label: str, name: str | None) -> None:
    codec, text = BY_LABEL[label]
    html = page(text)
    given, used = decode(html.encode(codec), alias)
    assert given == html
    assert used == (name or used)
    declared = page(text, f'<meta charset="{alias.strip()}">')
    assert decode(declared.encode(codec))[0] == declared


@pytest.mark.parametrize(("alias", "label"), [("ks_c_5601-1987", "cp949"), ("gb2312", "gbk"), ("x-sjis", "shift_jis")])
def test_the_name_of_an_encoding_does_not_depend_on_its_alias(alias: str, label: str) -> None:
    codec, text = BY_LABEL[label]
    data = page(text).encode(codec)
    assert decode(data, alias)[1] == decode(data, label)[1] == decode(data)[1]


@pytest.mark.parametrize("name", [decode(page(text).encode(codec))[1] for _, codec, text in LEGACY])
def test_a_detected_encoding_can_be_given(name: str) -> None:
    data = page(KOREAN).encode()
    assert decode(data, name) == (page(KOREAN), "utf-8")


@pytest.mark.parametrize("encoding", ["utf-8-sigh", "no-such-encoding", "utf-7", "rot13", " ", "ü", "x" * 5000, "\0"])
def test_an_unknown_given_encoding_raises(encoding: str) -> None:
    with pytest.raises(BadConfig, match="Unknown encoding"):
        decode(b"<p>text</p>", encoding)
    with pytest.raises(BadConfig, match="Unknown encoding"):
        extract(b"<p>text</p>", options=Options(encoding=encoding))


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_an_unknown_declared_encoding_is_ignored(head: str) -> None:
    html = page(CP949_KOREAN, head.format("x-no-such-encoding"))
    assert decode(html.encode("cp949")) == (html, "euc-kr")


# --- missing or wrong declarations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY, ids=LEGACY_IDS)
def test_no_declaration_is_needed(label: str, codec: str, text: str) -> None:
    html = page(text)
    assert decode(html.encode(codec))[0] == html


@in_one_test("way", ["given", "declared"])
@in_one_test("wrong", ["utf-8", "iso-8859-1", "us-ascii", "windows-1252"])
@in_one_test(("label", "codec", "text"), LEGACY, ids=LEGACY_IDS)
def test_a_default_declaration_is_ignored(label: str, codec: str, text: str, wrong: str, way: str) -> None:
    html = page(text, HEADS["meta"].format(wrong) if way == "declared" else "")
    assert decode(html.encode(codec), wrong if way == "given" else None)[0] == html


@pytest.mark.parametrize("alias", ["ISO8859-1", "iso_8859-1", "iso88591", "l1", "cp1252", "x-cp1252", "ansi_x3.4-1968"])
@pytest.mark.parametrize("label", ["cp949", "shift_jis", "windows-1251"])
def test_all_names_of_windows_1252_are_ignored(label: str, alias: str) -> None:
    codec, text = BY_LABEL[label]
    html = page(text, HEADS["meta"].format(alias))
    assert decode(html.encode(codec))[0] == html


@pytest.mark.parametrize("alias", ["replacement", "iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "x-user-defined"])
@pytest.mark.parametrize("label", ["cp949", "gbk", "windows-1251"])
def test_declarations_of_undecodable_encodings_are_ignored(label: str, alias: str) -> None:
    codec, text = BY_LABEL[label]
    html = page(text * 5, HEADS["meta"].format(alias))  # long, so that one replacement character does not matter
    assert decode(html.encode(codec))[0] == html


@pytest.mark.parametrize("label", ["cp949", "euc-kr"])
def test_cp949_declared_as_euc_kr_keeps_all_syllables(label: str) -> None:
    html = page(CP949_KOREAN, HEADS["http-equiv"].format(label))
    assert decode(html.encode("cp949")) == (html, "euc-kr")
    assert "똠방각하가 펲시콜라를" in extract(html.encode("cp949"), method="all").text


@pytest.mark.parametrize("label", ["shift_jis", "gbk", "big5", "windows-1251", "koi8-r", "iso-8859-2", "windows-874"])
def test_a_wrong_declaration_of_euc_kr_is_ignored(label: str) -> None:
    codec, text = BY_LABEL[label]
    html = page(text, HEADS["meta"].format("euc-kr"))
    assert decode(html.encode(codec))[0] == html


@in_one_test("wrong", ["euc-kr", "iso-8859-1", "shift_jis", "windows-1251", "gb2312", "utf-16"])
@in_one_test("text", UNICODE, ids=UNICODE_IDS)
def test_utf_8_is_detected_whatever_is_declared(text: str, wrong: str) -> None:
    html = page(text, HEADS["meta"].format(wrong))
    assert decode(html.encode()) == (html, "utf-8")
    assert decode(html.encode(), wrong) == (html, "utf-8")


def test_a_short_korean_page_needs_no_declaration() -> None:
    html = "<title>알림</title><p>오늘은 펲시콜라를 마셨다.</p>"
    assert decode(html.encode("cp949")) == (html, "euc-kr")


def test_a_short_japanese_page_needs_no_declaration() -> None:
    html = "<title>お知らせ</title><p>きょうはおいしいコーヒーをのみました。</p>"
    assert decode(html.encode("shift_jis")) == (html, "shift_jis")
    assert decode(html.encode("euc_jp")) == (html, "euc-jp")


@pytest.mark.parametrize("label", [None, "utf-8", "iso-8859-1", "windows-1252"])
@pytest.mark.parametrize(
    "text",
    [
        "The museum’s new wing opened on Monday.",
        "“Nobody knew,” she said – and nobody did.",
        "Wir öffnen um neun. Für Kinder ist der Eintritt frei, größere Gruppen zahlen die Hälfte.",
        "Le café est fermé.",
        "© 2024 The Harbour Press",
    ],
)
def test_a_few_characters_of_windows_1252_are_enough(text: str, label: str | None) -> None:
    html = page("Plain words come before it.\n" + text + "\nPlain words come after it.")
    assert decode(html.encode("cp1252"), label) == (html, "windows-1252")


@pytest.mark.parametrize(("label", "codec"), [("windows-1251", "cp1251"), ("windows-1250", "cp1250")])
def test_the_language_and_the_url_help_detection(label: str, codec: str) -> None:
    html = f"<html lang='ru'><p>{RUSSIAN}</p>" if label == "windows-1251" else f"<html lang='pl'><p>{POLISH}</p>"
    country = "ru" if label == "windows-1251" else "pl"
    assert decode(html.encode(codec), url=f"https://www.example.{country}/a?b=c")[0] == html


@pytest.mark.parametrize(
    "url", ["http://[broken", "", "no scheme", "http://127.0.0.1/", "http://한국.한국/", "http://a.b-/"]
)
def test_a_strange_url_is_ignored(url: str) -> None:
    html = page(CP949_KOREAN)
    assert decode(html.encode("cp949"), url=url) == (html, "euc-kr")


def test_the_page_knows_its_encoding() -> None:
    assert Page.parse(page(CP949_KOREAN).encode("cp949")).encoding == "euc-kr"
    assert Page.parse(page(CP949_KOREAN)).encoding is None


# --- Unicode ---------------------------------------------------------------------------------------------------------


@in_one_test(
    ("codec", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", b""),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", b""),
        ("utf-16-be", codecs.BOM_UTF16_BE),
    ],
    ids=["8", "8 with mark", "16 le", "16 le with mark", "16 be", "16 be with mark"],
)
@in_one_test("text", UNICODE, ids=UNICODE_IDS)
def test_unicode_needs_no_declaration(text: str, codec: str, mark: bytes) -> None:
    html = page(text)
    assert decode(mark + html.encode(codec)) == (html, codec)
    assert extract(mark + html.encode(codec), method="all").text == extract(html, method="all").text


@pytest.mark.parametrize(
    ("codec", "mark"),
    [("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)],
)
def test_a_byte_order_mark_takes_precedence(codec: str, mark: bytes) -> None:
    html = page(KOREAN, HEADS["meta"].format("euc-kr"))
    assert decode(mark + html.encode(codec), "windows-1251") == (html, codec)


def test_utf_8_truncated_inside_a_character_stays_utf_8() -> None:
    html = page(KOREAN, HEADS["meta"].format("euc-kr"))
    data = html.encode()
    inside = [cut for cut in range(200, len(data)) if data[cut] & 0xC0 == 0x80]
    assert len(inside) > 100
    for cut in inside:
        text, name = decode(data[:cut])
        assert name == "utf-8"
        assert html.startswith(text.rstrip("\ufffd"))


@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x80\x80", b"\xf5\x80\x80\x80"])
@pytest.mark.parametrize("text", [KOREAN, JAPANESE, RUSSIAN], ids=["ko", "ja", "ru"])
def test_utf_8_with_a_few_broken_bytes_stays_utf_8(text: str, broken: bytes) -> None:
    before, after = page(text * 3).split("</p>")
    html, name = decode(before.encode() + broken + b"</p>" + after.encode())
    assert name == "utf-8"
    assert html.replace("\ufffd", "") == before + "</p>" + after


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY[:8], ids=LEGACY_IDS[:8])
def test_a_truncated_legacy_page_keeps_its_encoding(label: str, codec: str, text: str) -> None:
    html = page(text, HEADS["meta"].format(label))
    data = html.encode(codec)
    start = html.index("<p>") + 20  # at least this many characters are complete
    for cut in range(len(html[:start].encode(codec)) + 4, len(data), 11):
        assert decode(data[:cut])[0][:start] == html[:start]


def test_a_declaration_is_found_after_a_long_head() -> None:
    html = "<html><head>" + "<script>var a = 1;</script>" * 2000 + f"<meta charset=koi8-r><p>{RUSSIAN}"
    assert decode(html.encode("koi8-r")) == (html, "koi8-r")


@pytest.mark.slow
@pytest.mark.parametrize("opening", [b"<meta charset=", b"<html lang=", b"<meta content='charset=", b"<meta charset"])
def test_an_endless_declaration_takes_no_time(opening: bytes) -> None:
    data = page(KOREAN).encode("cp949")
    found = assert_linear(lambda n: opening + b" " * n + b">" + data, decode, 16_000, least=0.01)
    assert found[1] == "euc-kr"


# --- input that is not a page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("magic", "what"), MAGIC, ids=[what.split(";")[0] for _, what in MAGIC])
def test_other_files_are_known_by_their_first_bytes(magic: bytes, what: str) -> None:
    with pytest.raises(NotHtml) as caught:
        Page.parse(magic + b"\0\x01\x02 the rest of the file")
    name, _, advice = what.partition("; ")
    assert str(caught.value) == f"This is {name}, not HTML; {advice}.".replace("; .", ".")


@pytest.mark.parametrize("start", ["%PDF-1.7", "\n%PDF-1.4", r"{\rtf1", "WARC/1.0"])
def test_other_files_that_were_read_as_text_are_known(start: str) -> None:
    with pytest.raises(NotHtml, match="file, not HTML"):
        Page.parse(f"{start} the rest of the file")
    assert extract(f"A {start}", method="all").text.startswith("A ")


def test_mp4_is_known_by_its_first_box() -> None:
    with pytest.raises(NotHtml, match="MP4"):
        Page.parse(b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41")


JSON = ['{"a": "<p>text</p>"}', '[1, {"html": "<p>"}]', "{}", "[]", ' \n\t{"한글": null}', "[" * 50 + "]" * 50]


@pytest.mark.parametrize("text", JSON)
def test_json_is_not_a_page(text: str) -> None:
    for data in (text, text.encode()):
        with pytest.raises(NotHtml, match="JSON"):
            Page.parse(data)


@pytest.mark.parametrize("codec", [None, "utf-8", "utf-16-le"])
@pytest.mark.parametrize("text", ['{"a": 1}', "<rss version='2.0'></rss>", "<?xml version='1.0'?>\n<feed></feed>"])
def test_a_byte_order_mark_hides_nothing(text: str, codec: str | None) -> None:
    marked = "\ufeff" + text
    with pytest.raises(NotHtml):
        extract(marked.encode(codec) if codec else marked)


@pytest.mark.parametrize(
    "text",
    [
        "[Edit] this page of the handbook",
        "{{ template }} <p>text</p>",
        '{"a": 1} and more',
        "[1, 2",
        "{",
        "[",
        '{"a": NaN',
    ],
)
def test_a_page_may_start_like_json(text: str) -> None:
    assert extract(text, method="all").text.split()[0] == text.split()[0]
    assert extract(text.encode(), method="all").text == extract(text, method="all").text


@pytest.mark.parametrize("nest", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, '[{"a":' * 50_000])
def test_deeply_nested_json_does_not_crash(nest: str) -> None:
    for data in (nest, nest.encode()):
        with suppress(NotHtml):  # Python may be unable to parse it
            assert extract(data, method="all").text == nest


FEEDS = {
    "rss": '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>News</title></channel></rss>',
    "atom": '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>',
    "rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel/></rdf:RDF>',
    "sitemap": '<?xml version="1.0"?>\n<!-- made by a plug-in -->\n<urlset><url><loc>http://a.example</loc></url></urlset>',
    "sitemap index": '<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><sitemapindex></sitemapindex>',
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>Words</text></svg>',
    "svg with doctype": '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">\n<svg><text>Words</text></svg>',
    "blanks before": "\n\n  <RSS version='0.91'></RSS>",
    "comments before": "<!-- a -->" * 40 + "<rss></rss>",
}


@pytest.mark.parametrize("feed", FEEDS.values(), ids=FEEDS.keys())
def test_feeds_and_svg_files_are_not_pages(feed: str) -> None:
    for data in (feed, feed.encode()):
        with pytest.raises(NotHtml, match="XML document \\(<"):
            Page.parse(data)


PAGES = {
    "xhtml": '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "a">\n'
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><p>Words.</p></body></html>',
    "a drawing first": "<!DOCTYPE html><svg width='0'><symbol id='a'></symbol></svg><p>Words.</p>",
    "a drawing in the body": "<html><body><svg></svg><p>Words.</p>",
    "comments first": "<!-- a --><!-- b --><p>Words.</p>",
    "many comments first": "<!--a-->" * 200 + "<p>Words.</p>",
    "an open comment first": "<p>Words.</p><!-- a",
    "plain text": "Words.",
    "another element": "<rssfeed>Words.</rssfeed>",
    "a custom element": "<feed-list>Words.</feed-list>",
    "NULs": "<p>Wo\0rds.</p>\0\0",
    "NULs first": "\0\0<p>Words.</p>",
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_a_page_is_a_page(html: str) -> None:
    for data in (html, html.encode()):
        assert extract(data, method="all").text == "Words."


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\ufeff", "\ufeff \n", "\n\ufeff", "\xa0\u3000"])
def test_empty_text_is_not_a_page(text: str) -> None:
    with pytest.raises(EmptyInput):
        Page.parse(text)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"\n\t \r\n",
        codecs.BOM_UTF8,
        codecs.BOM_UTF8 + b" \n",
        b"\n" + codecs.BOM_UTF8,
        codecs.BOM_UTF16_LE,
        codecs.BOM_UTF16_BE + b"\0 \0\n",
    ],
)
def test_empty_bytes_are_not_a_page(data: bytes) -> None:
    with pytest.raises(EmptyInput):
        extract(data)


@pytest.mark.parametrize("sign", ["\ufffd", "\x01"], ids=["holes", "controls"])
def test_text_with_many_control_characters_is_rejected(sign: str) -> None:
    words = "<p>" + "a word " * 200
    few = (len(words) + 70) // 20
    assert decode((words + sign * few).encode())[0].count(sign) == few
    with pytest.raises(Undecodable):
        decode((words + sign * (few + 20)).encode())


@in_one_test("label", [None, "utf-8", "euc-kr", "windows-1252"])
@in_one_test("size", [200, 3000, 100_000])
@in_one_test("seed", range(5))
def test_random_bytes_are_not_a_page(seed: int, size: int, label: str | None) -> None:
    data = random.Random(seed).randbytes(size)
    with pytest.raises((Undecodable, NotHtml)):
        extract(data, options=Options(encoding=label))


@pytest.mark.parametrize("size", [16, 64, 500])
@pytest.mark.parametrize("codec", ["utf-8", "cp949", "utf-16-le"])
def test_nuls_are_tolerated(codec: str, size: int) -> None:
    html = page(KOREAN)
    text, name = decode((html + "\0" * size).encode(codec))
    assert text.rstrip("\0") == html
    assert name == {"cp949": "euc-kr"}.get(codec, codec)


@pytest.mark.parametrize(
    "text", ["본문을 추출합니다.", "主要なテキストを取り出す。", "Le texte déjà extrait, ça et là."]
)
def test_utf_8_that_was_read_as_latin_1_is_repaired(text: str) -> None:
    page = f"<title>{text}</title><p>{text * 3}</p>"
    twice = page.encode().decode("latin-1")
    assert Page.parse(twice).block_texts == [text * 3]
    assert Page.parse(twice.encode()).block_texts == [text * 3]  # the mistake was saved
    assert Page.parse(page).block_texts == [text * 3]


def test_a_page_about_such_mistakes_stays_as_it_is() -> None:
    wrong = "ë³¸ë¬¸ë³¸ë¬¸ë³¸ë¬¸ë³¸ë¬¸"
    assert Page.parse(f"<p>é is not {wrong}").block_texts == [f"é is not {wrong}"]
    assert Page.parse("<p>It says Ã©, not e.").block_texts == ["It says Ã©, not e."]
