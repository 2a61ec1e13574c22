"""Bytes in, text out: what the input is, and in which encoding it was written.

The order is that of a browser (byte-order mark, the given or HTTP encoding, `<meta>`, detection), with one check more:
labels lie, bytes that are valid UTF-8 do not. So a page is UTF-8 when nearly all of its non-ASCII bytes say so,
whatever it declares, and a label whose decoding leaves holes gives way to a detected encoding that leaves fewer.
"""

from __future__ import annotations

import codecs
import json
import re
from urllib.parse import urlsplit

from turbohtml.detect import Detection, detect_all  # importing it registers the whatwg-* codecs used below

from bonmun.errors import BadConfig, EmptyInput, NotHtml, Undecodable

__all__ = ["check_html", "decode"]

MAGIC = (
    (b"%PDF-", "a PDF file; turn it into HTML or text first"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"PK\x03\x04", "a zip archive (or an Office or EPUB file); unpack it first"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "gzip data; unpack it first, or give a file whose name ends in .gz"),
    (b"BZh", "bzip2 data; unpack it first"),
    (b"\xfd7zXZ\x00", "xz data; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstandard data; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old Office file; convert it first"),
    (b"{\\rtf", "an RTF file; convert it first"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"WARC/1.", "a WARC file; give its records' HTML one by one"),
)
FEEDS = re.compile(r"<(rss|feed|rdf:RDF|urlset|sitemapindex|svg)\b", re.I)
PROLOGUE = (("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE ", ">"))
META = re.compile(rb"""<(?:meta\b[^<>]*?charset|\?xml\b[^<>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I)
LANG = re.compile(rb"""<html\b[^<>]*?\blang\s*=\s*["']?\s*([a-z]{2})""", re.I)
HEAD = 65536  # bytes searched for a declaration; pages that declare later than that are not known
CONTROLS = bytes({*range(1, 9), *range(14, 32), 127} - {27})  # not NUL, common and harmless; not ESC, in ISO-2022-JP
HIGH = bytes(range(128, 256))

# Names seen in the wild that the WHATWG table lacks, or that its codec names cannot spell.
ALIASES = dict.fromkeys(("cp949", "ms949", "uhc", "ks_c_5601-1987", "ks_c_5601-1989", "ksc_5601", "euckr"), "euc-kr")
ALIASES |= dict.fromkeys(("gb_2312", "gb_2312-80", "cp936", "ms936"), "gbk")
ALIASES |= {"cp932": "shift_jis", "ms932": "shift_jis", "cp950": "big5", "utf-8-sig": "utf-8", "cp874": "windows-874"}
LANGUAGES = {b"ko": "Korean", b"ja": "Japanese", b"zh": "Chinese", b"ru": "Russian", b"ar": "Arabic", b"th": "Thai"}

# Scripts that no other encoding's bytes turn into by chance: the encodings, the characters, and their least share.
# Detection by letter frequencies needs more text than a short page has.
SCRIPTS = ((("euc-kr",), re.compile("[가-힣]"), 0.8), (("shift_jis", "euc-jp"), re.compile("[ぁ-んァ-ヶー]"), 0.4))


def check_html(data: bytes | str) -> None:
    """Raise EmptyInput or NotHtml when the input is plainly no page."""
    if isinstance(data, bytes):
        for magic, name in MAGIC:
            if data.startswith(magic):
                raise NotHtml(f"This is {name}, not HTML.")
        if data[4:8] == b"ftyp":
            raise NotHtml("This is an MP4 media file, not HTML.")
    text = data.lstrip()
    if not text or text in (b"\xef\xbb\xbf", "\ufeff"):
        raise EmptyInput("The input is empty: there is no page to read.")
    head = text[:1024].decode("latin-1") if isinstance(text, bytes) else text[:1024]
    if head[0] in "{[" and _is_json(text):
        raise NotHtml("This is JSON, not HTML; give the HTML that is in it.")
    if feed := FEEDS.match(_after_prologue(head)):
        raise NotHtml(f"This is XML of the kind <{feed[1]}>, not an HTML page.")


def _after_prologue(head: str) -> str:
    """The start of a page from its first element on: past declarations and comments."""
    while True:
        head = head.lstrip()
        for opening, closing in PROLOGUE:
            if head.startswith(opening):
                head = head.partition(closing)[2]
                break
        else:
            return head


def decode(data: bytes, encoding: str | None = None, url: str | None = None) -> tuple[str, str]:
    """Return the text of the bytes and the name of the encoding that gave it.

    `encoding` is what the caller or the HTTP header said; an unknown name is an error.
    """
    given = _known(encoding) if encoding else None
    if encoding and not given:
        raise BadConfig(f"Unknown encoding {encoding!r}: give a name such as 'utf-8', 'euc-kr' or 'windows-1251'.")
    text, name = _decode(data, given, url)
    # 5 %: text of any script has under 0.1 %, compressed or random bytes 10 % and more
    if _count(data, CONTROLS) + text.count("\ufffd") > max(4, len(text) // 20):
        raise Undecodable(
            "No known encoding makes text of these bytes: they are not HTML, or are damaged or compressed."
        )
    return text, name


def _decode(data: bytes, given: str | None, url: str | None) -> tuple[str, str]:
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    if data[:4].count(0) == 2:  # `<!` or `<h` in UTF-16 without a mark
        name = "utf-16-be" if data[0] == 0 else "utf-16-le"
        return data.decode(name, "replace"), name

    if data.isascii():
        name = "iso-2022-jp" if b"\x1b$" in data else "utf-8"  # ISO-2022-JP is Japanese in seven bits
        return data.decode("whatwg-" + name), name
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as exc:
        cut = exc.reason == "unexpected end of data"
    text = data.decode("utf-8", "replace")
    # a damaged UTF-8 page: real legacy bytes read as UTF-8 leave a hole for every one to three of them
    if cut or _count(data, HIGH) >= 8 * text.count("\ufffd"):
        return text, "utf-8"
    return _legacy(data, given or _declared(data), url)


def _legacy(data: bytes, declared: str | None, url: str | None) -> tuple[str, str]:
    """Choose between the declared encoding and what detection says."""
    # windows-1252 is what servers and editors write when they know nothing: it counts as no declaration
    trusted = (
        declared
        if declared not in (None, "utf-8", "windows-1252", "iso-8859-1", "latin1", "us-ascii", "ascii")
        else None
    )
    if trusted:
        text = data.decode("whatwg-" + trusted)
        if text.count("\ufffd") * 200 <= _count(data, HIGH):
            return text, trusted
    lang = LANG.search(data[:HEAD])
    hints = Detection(language=LANGUAGES.get(lang[1].lower()) if lang else None, tld=_tld(url))
    # without tags (one of them holds the label, which detection would only repeat) and lines of plain ASCII;
    # whole lines, since one cut character rules its encoding out
    lines = [line for line in re.split(rb"<[^<>]*>|\n", data) if not line.isascii()]
    words = b"\n".join(lines)
    words = words[: words.rfind(b"\n", 0, HEAD)] if len(words) > HEAD else b"\n".join(lines[:-1] or lines)
    if name := _by_script(words):
        return data.decode("whatwg-" + name), name
    names = [match.encoding.lower() for match in detect_all(words, hints)[:4] if match.encoding]
    names += [name for name in (trusted, "windows-1252") if name and name not in names]
    best = names[0]
    text = data.decode("whatwg-" + best)
    for name in names[1:]:
        if not (holes := text.count("\ufffd")):
            break
        other = data.decode("whatwg-" + name)
        # single-byte encodings never leave holes, so they win only against a text full of them
        if other.count("\ufffd") < holes and (name in _MULTIBYTE or holes * 20 > len(text)):
            best, text = name, other
    return text, best


def _by_script(words: bytes) -> str | None:
    for names, characters, share in SCRIPTS:
        for name in names:
            text = re.sub("[\x00-\x7f]+", "", words.decode("whatwg-" + name))
            if "\ufffd" not in text and len(characters.findall(text)) >= max(2, share * len(text)):
                return name
    return None


_MULTIBYTE = frozenset({"euc-kr", "shift_jis", "euc-jp", "gbk", "gb18030", "big5"})


def _count(data: bytes, which: bytes) -> int:
    return len(data) - len(data.translate(None, which))


def _declared(data: bytes) -> str | None:
    found = META.search(data[:HEAD])
    return _known(found[1].decode("ascii", "replace")) if found else None


def _known(label: str) -> str | None:
    """The label in lower case if it names an encoding, else None."""
    label = label.strip().lower()
    label = ALIASES.get(label, label)
    try:
        codecs.lookup("whatwg-" + label)
    except LookupError:
        return None
    return "utf-8" if label in ("utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be") else label


def _tld(url: str | None) -> str | None:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    label = host.rpartition(".")[2].lower()
    return label if re.fullmatch("[a-z][a-z0-9-]+", label) else None


def _is_json(text: bytes | str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
