"""Decode bytes into text, and reject input that is not HTML.

The order is that of a browser: byte order mark, given or HTTP encoding, `<meta>`, detection. But declarations are often
wrong, and bytes that happen to be valid UTF-8 hardly ever. So a page is UTF-8 if nearly all its non-ASCII bytes are,
whatever it declares. If the declared encoding leaves replacement characters, a detected encoding that leaves fewer is
used instead.
"""

from __future__ import annotations

import codecs
import json
import re
from urllib.parse import urlsplit

import turbohtml

from bonmun.errors import BadConfig, EmptyInput, NotHtml, Undecodable
from bonmun.kernel import load_kernel

__all__ = ["check_bytes", "check_text", "decode", "find_encoding"]

KERNEL = load_kernel("signs")
MAGIC = (
    (b"%PDF-", "a PDF file; convert it to HTML or text first"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"PK\x03\x04", "a zip archive (or an Office or EPUB file); unpack it first"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "gzip data; unpack it first"),
    (b"BZh", "bzip2 data; unpack it first"),
    (b"\xfd7zXZ\x00", "xz data; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstandard data; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"\x7fELF", "an executable file"),
    (b"\xd0\xcf\x11\xe0", "a legacy Office file; convert it first"),
    (b"{\\rtf", "an RTF file; convert it first"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"WARC/1.", "a WARC file; pass the HTML of its records one by one"),
)
TEXT_MAGIC = tuple((magic.decode(), name) for magic, name in MAGIC if magic in (b"%PDF-", b"{\\rtf", b"WARC/1."))
FEEDS = re.compile(r"<(rss|feed|rdf:RDF|urlset|sitemapindex|svg)[\s/>]", re.I)
PROLOGUE = (("<?", "?>"), ("<!--", "-->"), ("<!", ">"))
META = re.compile(rb"""<(?:meta\b[^<>]*?charset|\?xml\b[^<>]*?encoding)\s*=[\s"']*([\w.:-]+)""", re.I)
LANG = re.compile(rb"""<html\b[^<>]*?\blang\s*=[\s"']*([a-z]{2})""", re.I)
HEAD_BYTES = 65536  # bytes that are searched for a declaration
HIGH = bytes(range(128, 256))
# Control characters that text does not contain. NUL is common and harmless in broken pages; ISO-2022-JP uses ESC.
CONTROLS = bytes({*range(1, 9), *range(14, 32), 127} - {27})
CONTROL = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")

# Names in use that the WHATWG table lacks.
ALIASES = dict.fromkeys(("cp949", "ms949", "uhc", "ksc_5601-1987", "euckr"), "euc-kr")
ALIASES |= {"cp932": "shift_jis", "ms932": "shift_jis", "cp936": "gbk", "ms936": "gbk", "cp950": "big5"}
ALIASES |= {"cp874": "windows-874", "utf-8-sig": "utf-8", "utf_8": "utf-8", "euc_kr": "euc-kr", "euc_jp": "euc-jp"}
# Declarations to ignore: defaults of servers and editors, and encodings that have been ruled out before.
IGNORED_LABELS = frozenset({"utf-8", "windows-1252", "utf-16le", "utf-16be", "replacement", "x-user-defined"})
MULTIBYTE = frozenset({"euc-kr", "shift_jis", "euc-jp", "gbk", "gb18030", "big5"})
LANGUAGES = {b"ko": "Korean", b"ja": "Japanese", b"zh": "Chinese", b"ru": "Russian", b"ar": "Arabic", b"th": "Thai"}

# Detection by letter frequencies needs more text than short pages have. These recognise Korean, by syllables of
# KS X 1001 with little else, and Japanese, by kana.
HANGUL = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")
KANA = re.compile("[ぁ-んァ-ヶー]")


def check_bytes(data: bytes) -> None:
    """Raise NotHtml if the bytes start like another kind of file."""
    for magic, name in MAGIC:
        if data.startswith(magic):
            raise _refuse(name)
    if data[4:8] == b"ftyp":
        raise NotHtml("This is an MP4 media file, not HTML.")


def check_text(text: str) -> None:
    """Raise EmptyInput or NotHtml if the text is clearly not a page."""
    head = _strip_blanks(text[:4096]) or _strip_blanks(text)[:4096]
    if not head:
        raise EmptyInput("The input is empty: there is no page to read.")
    for magic, name in TEXT_MAGIC:
        if head.startswith(magic):
            raise _refuse(name)
    if head.startswith(("http://", "https://")) and _lists_urls(text):
        hint = "fetch it first, or pipe it to `bonmun extract --urls -`"
        raise NotHtml(f"This is a URL, not a page; {hint}.")
    if head[0] in "{[" and _is_json(_strip_blanks(text)):
        raise NotHtml("This is JSON, not HTML; pass the HTML that it contains.")
    feed = FEEDS.match(_skip_prologue(head))
    # pages may start with an SVG, too
    if feed and (feed[1].lower() != "svg" or text.rstrip().endswith("</svg>")):
        raise NotHtml(f"This is an XML document (<{feed[1]}>), not an HTML page.")


def _refuse(name: str) -> NotHtml:
    """Return the error for another kind of file, with its name and what to do with it."""
    what, _, advice = name.partition("; ")
    return NotHtml(f"This is {what}, not HTML{'; ' + advice if advice else ''}.")


def _lists_urls(text: str) -> bool:
    """Return whether the text consists of URLs only, one per line."""
    lines = (line.strip() for line in text.splitlines())
    return all(
        line.startswith(("http://", "https://")) and " " not in line and "<" not in line for line in lines if line
    )


def _strip_blanks(text: str) -> str:
    return text.strip().lstrip("\ufeff").strip()


def _skip_prologue(head: str) -> str:
    """Return the start of an XML file from its first element on; empty if its doctype is HTML."""
    while True:
        head = head.lstrip()
        if head[:14].lower() == "<!doctype html":
            return ""
        for opening, closing in PROLOGUE:
            if head.startswith(opening):
                head = head.partition(closing)[2]
                break
        else:
            return head


def decode(data: bytes, encoding: str | None = None, url: str | None = None) -> tuple[str, str]:
    """Return the text of the bytes and the name of their encoding.

    `encoding` is the encoding given by the caller or the HTTP header; an unknown name raises BadConfig.
    """
    given = find_encoding(encoding) if encoding else None
    if encoding and not given:
        raise BadConfig(f"Unknown encoding {encoding!r}; use a name such as 'utf-8', 'euc-kr' or 'windows-1251'.")
    text, name = _decode(data, given, url)
    controls = len(CONTROL.findall(text)) if name.startswith("utf-16") else _count_controls(data)
    holes = text.count("\ufffd") if "\ufffd" in text else 0  # counting takes ten times as long as searching
    # 5 %: text in any script has less than 0.1 %, compressed or random bytes have 10 % or more
    if controls + holes > max(4, len(text) // 20):
        raise Undecodable("The input cannot be decoded as text: it is not HTML, or it is damaged or compressed.")
    return text, name


def find_encoding(label: str) -> str | None:
    """Return the name of the encoding with this label, in lower case; None if there is no such encoding."""
    label = label.strip().lower()
    try:
        return (turbohtml.parse(b"", encoding=ALIASES.get(label, label)).encoding or "").lower() or None
    except (LookupError, ValueError):
        return None


def _decode(data: bytes, given: str | None, url: str | None) -> tuple[str, str]:
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    if name := _detect_utf_16(data, given):
        return data.decode(name, "replace"), name
    if data.isascii():
        if b"\x1b$" not in data:
            return data.decode("ascii"), "utf-8"
        import turbohtml.detect  # noqa: F401 - it registers the whatwg-* codecs

        return data.decode("whatwg-iso-2022-jp"), "iso-2022-jp"  # 7-bit Japanese
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as exc:
        # a truncated character at the end, after complete ones
        cut = exc.reason == "unexpected end of data" and _count_bytes(data[: exc.start], HIGH) > 0
    text = data.decode("utf-8", "replace")
    # a damaged UTF-8 page: legacy bytes decoded as UTF-8 leave one replacement character per one to three bytes
    if cut or _count_bytes(data, HIGH) >= 8 * text.count("\ufffd"):
        return text, "utf-8"
    return _decode_legacy(data, given or _find_declared(data), url)


BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _detect_utf_16(data: bytes, given: str | None) -> str:
    """Detect UTF-16 without a byte order mark: in its markup, every other byte is NUL."""
    if b"\0" not in data:
        return ""
    little, big = b"<\0" in data, b"\0<" in data
    nulls = data[:4]
    if little and (given == "utf-16le" or (nulls[1::2] == b"\0\0" and 0 not in nulls[::2])):
        return "utf-16-le"
    if big and (given == "utf-16be" or (nulls[::2] == b"\0\0" and 0 not in nulls[1::2])):
        return "utf-16-be"
    return ""


def _decode_legacy(data: bytes, declared: str | None, url: str | None) -> tuple[str, str]:
    """Choose between the declared encoding and detected ones."""
    from turbohtml.detect import Detection, detect_all  # importing it registers the whatwg-* codecs

    trusted = declared if declared not in IGNORED_LABELS else None
    if trusted:
        text = data.decode("whatwg-" + trusted)
        if text.count("\ufffd") <= 1 + _count_bytes(data, HIGH) // 200:  # truncation may leave one
            return text, trusted
    lang = LANG.search(data[:HEAD_BYTES])
    hints = Detection(language=LANGUAGES.get(lang[1].lower()) if lang else None, tld=_find_tld(url))
    # Detection sees no tags, since one of them contains the declaration, and no lines of plain ASCII. Only whole lines,
    # since one truncated character rules out the right encoding.
    lines = [line for line in re.split(rb"<[^<>]*>|\n", data) if not line.isascii()]
    words = b"\n".join(lines)
    words = words[: words.rfind(b"\n", 0, HEAD_BYTES)] if len(words) > HEAD_BYTES else b"\n".join(lines[:-1] or lines)
    if name := _detect_script(b"\n".join(lines), hints.language):
        return data.decode("whatwg-" + name), name
    names = [match.encoding.lower() for match in detect_all(words, hints)[:4] if match.encoding]
    names += [name for name in (trusted, "windows-1252") if name and name not in names]
    best = names[0]
    text = data.decode("whatwg-" + best)
    for name in names[1:]:
        if not (holes := text.count("\ufffd")):
            break
        other = data.decode("whatwg-" + name)
        # single-byte encodings never leave any, so they need a large advantage
        if other.count("\ufffd") < holes and (name in MULTIBYTE or holes * 20 > len(text)):
            best, text = name, other
    return text, best


def _detect_script(words: bytes, language: str | None) -> str | None:
    """Return the encoding of a page that is clearly Korean or Japanese, else None."""
    if language in (None, "Korean") and 2 * len(HANGUL.findall(words)) >= max(4, 0.9 * _count_bytes(words, HIGH)):
        return "euc-kr"
    for name in ("shift_jis", "euc-jp"):
        text = re.sub("[\x00-\x7f]+", "", words.decode("whatwg-" + name))
        if len(KANA.findall(text)) >= max(2, 0.4 * len(text)) and text.count("\ufffd") < 2:
            return name
    return None


def _count_controls(data: bytes) -> int:
    if KERNEL:
        found: int = KERNEL.count_controls(data)
        return found
    return _count_bytes(data, CONTROLS)


def _count_bytes(data: bytes, which: bytes) -> int:
    return len(data) - len(data.translate(None, which))


def _find_declared(data: bytes) -> str | None:
    found = META.search(data[:HEAD_BYTES])
    return find_encoding(found[1].decode("ascii", "replace")) if found else None


def _find_tld(url: str | None) -> str | None:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    label = host.rpartition(".")[2].lower()
    return label if re.fullmatch("[a-z][a-z0-9-]+", label) else None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
