"""The images and links of a document, each with the place that it comes from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from timing import assert_linear

LINE = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him."


def extract(markup: str, url: str | None = "https://news.example.org/lamp") -> bonmun.Document:
    return bonmun.extract(f"<!DOCTYPE html><title>Lamp</title><body>{markup}", url, method="all")


def test_an_image_has_caption_credit_size_and_place() -> None:
    figure = (
        "<figure><img src=/lamp.jpg alt='The old lamp' width=800 height=600>"
        "<figcaption>The lamp at night. Photo: Ann Lee</figcaption></figure>"
    )
    (image,) = extract(f"{figure}<p>{LINE}</p>").images
    assert image == bonmun.Image(
        url="https://news.example.org/lamp.jpg",
        alt="The old lamp",
        caption="The lamp at night.",
        credit="Photo: Ann Lee",
        width=800,
        height=600,
        is_lead=True,
        xpath="/html/body/figure[1]/img[1]",
    )
    assert image.to_dict()["credit"] == "Photo: Ann Lee"
    (image,) = extract(f"<p>{LINE}</p><img src=/lamp.jpg><p>{LINE}</p>").images
    assert (image.alt, image.caption, image.credit, image.width, image.is_lead) == ("", None, None, None, False)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("The lamp (Reuters)", ("The lamp", "Reuters")),
        ("등대의 밤 /연합뉴스", ("등대의 밤", "연합뉴스")),
        ("© Ann Lee", (None, "© Ann Lee")),
        ("The lamp<br>Foto: Ann Lee", ("The lamp", "Foto: Ann Lee")),
        ("The lamp (1890) at night", ("The lamp (1890) at night", None)),
    ],
)
def test_the_credit_is_split_from_the_caption(caption: str, expected: tuple[str | None, str | None]) -> None:
    doc = extract(f"<p>{LINE}</p><figure><img src=a.jpg><figcaption>{caption}</figcaption></figure><p>{LINE}</p>")
    assert [(image.caption, image.credit) for image in doc.images] == [expected]


def test_links_have_text_and_address_and_say_whether_they_leave_the_site() -> None:
    doc = extract(
        f"<p>{LINE} <a href=/a>the <b>old</b> lamp</a> <a href=https://www.example.org/b>b</a> "
        "<a href=https://other.org/c>c</a> <a href=https://badexample.org>d</a> <a href=#e>e</a></p>"
    )
    found = [(link.text, link.url, link.is_internal) for link in doc.links]
    assert found == [
        ("the old lamp", "https://news.example.org/a", True),
        ("b", "https://www.example.org/b", True),
        ("c", "https://other.org/c", False),
        ("d", "https://badexample.org", False),
    ]
    assert doc.links[0].xpath == "/html/body/p[1]/a[1]"
    assert doc.links[0].to_dict()["is_internal"] is True
    assert [link.is_internal for link in extract(f"<p>{LINE} <a href=/a>a</a>", None).links] == [True]


def test_they_are_empty_if_the_options_leave_them_out() -> None:
    html = f"<p>{LINE}</p><img src=a.jpg><p>{LINE} <a href=/a>a</a></p>"
    doc = bonmun.extract(html, method="all", options=bonmun.Options(links=False, images=False))
    assert (doc.images, doc.links) == ((), ())
    assert (extract("<p></p>").images, extract("<p></p>").links) == ((), ())


@given(st.lists(st.sampled_from(["<img src=a.jpg>", "<a href=x>", "</a>", "<figure>", "<figcaption>", "(", "©", "a"])))
def test_any_markup_has_valid_places(parts: list[str]) -> None:
    doc = extract(f"<p>{LINE}</p>{''.join(parts)}<p>{LINE}</p>")
    assert all(image.url and image.xpath.startswith("/html") for image in doc.images)
    assert all(link.url and link.text and link.xpath.startswith("/html") for link in doc.links)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<a href=x>a</a> b ", "<figure><img src=a.jpg><figcaption>(a (b</figcaption></figure>", "<p>(a/|© "]
)
def test_long_pages_take_linear_time(piece: str) -> None:
    def run(doc: bonmun.Document) -> int:
        return len(doc.build_nodes().children) + len(doc.images) + len(doc.links)

    assert_linear(lambda size: extract(f"<p>{LINE}</p>{piece * size}"), run, 500)
