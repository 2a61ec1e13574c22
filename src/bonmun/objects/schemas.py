"""The fields of each type of object, as JSON Schemas. The names are those of schema.org."""

from __future__ import annotations

from typing import Any

__all__ = ["OBJECT_FIELDS", "OBJECT_TYPES", "make_schema"]

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TEXTS = {"type": "array", "items": TEXT}
DURATION = {"type": "string", "format": "duration"}
URL = {"type": "string", "format": "uri-reference"}
RATING_FIELDS = dict.fromkeys(("ratingValue", "bestRating", "ratingCount", "reviewCount"), NUMBER)
RATING = {"type": "object", "properties": RATING_FIELDS}


def _list(**fields: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list of objects."""
    return {"type": "array", "items": {"type": "object", "properties": fields}}


PLACE = {"type": "object", "properties": {"name": TEXT, "address": TEXT, "url": URL}}
# Fields that several types share.
COMMON: dict[str, tuple[dict[str, Any], str]] = {
    "name": (TEXT, "Name."),
    "description": (TEXT, "Description."),
    "url": (URL, "Address of its page."),
    "image": (URL, "Address of the image."),
}
MEDIA: dict[str, tuple[dict[str, Any], str]] = {
    "duration": (DURATION, "Duration, in ISO 8601."),
    "author": (TEXT, "Author or channel."),
    "transcript": (TEXT, "Transcript."),
    "hasPart": (_list(startOffset=NUMBER, name=TEXT), "Chapters, with their start in seconds."),
}
CONTACT: dict[str, tuple[dict[str, Any], str]] = {
    "address": (TEXT, "Postal address on one line."),
    "telephone": (TEXT, "Telephone number."),
    "email": (TEXT, "E-mail address."),
    "openingHoursSpecification": (TEXTS, 'Opening hours, such as "Monday 09:00-17:00".'),
    "sameAs": (TEXTS, "Addresses of other pages about it."),
}
# By type and field: its schema, and what it is.
OBJECT_FIELDS: dict[str, dict[str, tuple[dict[str, Any], str]]] = {
    "Recipe": {
        "name": (TEXT, "Name of the dish."),
        "description": (TEXT, "Summary."),
        "author": (TEXTS, "Names of the authors."),
        "recipeYield": (TEXT, 'How much it makes, such as "4 servings".'),
        "prepTime": (DURATION, "Time of preparation, in ISO 8601."),
        "cookTime": (DURATION, "Time of cooking."),
        "totalTime": (DURATION, "Time in all."),
        "recipeIngredient": (
            _list(text=TEXT, amount=TEXT, unit=TEXT, item=TEXT),
            "Lines of the ingredients, with amount, unit and item where these are found.",
        ),
        "recipeInstructions": (
            _list(text=TEXT, name=TEXT, section=TEXT),
            "Steps, with their names and the section that they belong to.",
        ),
        "nutrition": ({"type": "object", "additionalProperties": TEXT}, "Nutrients by name, as the page writes them."),
        "aggregateRating": (RATING, "Rating by readers."),
        "recipeCategory": (TEXTS, "Kinds of dish."),
        "recipeCuisine": (TEXTS, "Cuisines."),
        "image": (URL, "Address of the image."),
    },
    "Product": {
        "name": (TEXT, "Name."),
        "brand": (TEXT, "Brand."),
        "price": (TEXT, 'Price as a decimal number, such as "19.95".'),
        "priceCurrency": (TEXT, "Currency, as an ISO 4217 code."),
        "availability": (TEXT, 'Availability, such as "InStock" or "OutOfStock".'),
        "sku": (TEXT, "Number of the shop."),
        "gtin": (TEXT, "International number: EAN, UPC or ISBN."),
        "mpn": (TEXT, "Number of the maker."),
        "itemCondition": (TEXT, 'Condition, such as "NewCondition".'),
        "aggregateRating": (RATING, "Rating by buyers."),
        "review": (_list(author=TEXT, date=TEXT, rating=NUMBER, name=TEXT, text=TEXT), "Reviews."),
        "additionalProperty": (_list(name=TEXT, value=TEXT), "Specifications."),
        "hasVariant": (
            _list(name=TEXT, sku=TEXT, color=TEXT, size=TEXT, price=TEXT, priceCurrency=TEXT),
            "Variants, such as sizes and colours.",
        ),
        "image": (TEXTS, "Addresses of the images."),
        "description": (TEXT, "Description."),
    },
    "ScholarlyArticle": {
        "name": (TEXT, "Title."),
        "author": (_list(name=TEXT, affiliation=TEXTS, identifier=TEXT), "Authors with their affiliations."),
        "isPartOf": (TEXT, "Journal, conference or book."),
        "volumeNumber": (TEXT, "Volume."),
        "issueNumber": (TEXT, "Issue."),
        "pageStart": (TEXT, "First page."),
        "pageEnd": (TEXT, "Last page."),
        "datePublished": (TEXT, "Date of publication, as the page declares it."),
        "publisher": (TEXT, "Publisher."),
        "doi": (TEXT, "DOI, without the address of its resolver."),
        "abstract": (TEXT, "Abstract."),
        "keywords": (TEXTS, "Keywords."),
        "citation": (_list(text=TEXT, doi=TEXT), "References."),
        "encoding": (URL, "Address of the PDF."),
    },
    "Event": {
        **COMMON,
        "startDate": (TEXT, "When it starts."),
        "endDate": (TEXT, "When it ends."),
        "location": (PLACE, "Where it takes place."),
        "organizer": (TEXT, "Organiser."),
        "performer": (TEXTS, "Performers."),
        "eventStatus": (TEXT, "Whether it takes place, such as an address of schema.org."),
        "offers": (_list(name=TEXT, price=TEXT, priceCurrency=TEXT, availability=TEXT, url=URL), "Tickets."),
    },
    "JobPosting": {
        "title": (TEXT, "Title of the job."),
        "hiringOrganization": (TEXT, "Employer."),
        "jobLocation": (PLACE, "Place of work."),
        "baseSalary": (
            {
                "type": "object",
                "properties": dict.fromkeys(("minValue", "maxValue", "value", "unitText", "currency", "text"), TEXT),
            },
            "Salary.",
        ),
        "datePosted": (TEXT, "When it was posted."),
        "validThrough": (TEXT, "Until when it can be applied for."),
        "employmentType": (TEXTS, 'Kinds of employment, such as "FULL_TIME".'),
        "description": (TEXT, "Description."),
    },
    "VideoObject": {
        **COMMON,
        **MEDIA,
        "uploadDate": (TEXT, "When it was uploaded."),
        "contentUrl": (URL, "Address of the file."),
        "embedUrl": (URL, "Address of the player."),
        "thumbnailUrl": (URL, "Address of the preview image."),
    },
    "PodcastEpisode": {
        **COMMON,
        **MEDIA,
        "datePublished": (TEXT, "Date of publication."),
        "partOfSeries": (TEXT, "Podcast."),
        "associatedMedia": (TEXT, "File of the episode."),
    },
    "ItemList": {
        "name": (TEXT, "Title of the page."),
        "itemListElement": (
            _list(name=TEXT, url=URL, description=TEXT, datePublished=TEXT, price=TEXT, priceCurrency=TEXT, image=URL),
            "Items in the order of the page: title, address, snippet, date, price and image.",
        ),
    },
    "Organization": {**COMMON, **CONTACT},
    "Place": {**COMMON, **CONTACT},
    "Person": {
        **COMMON,
        "jobTitle": (TEXT, "Job."),
        "worksFor": (TEXT, "Employer."),
        "address": CONTACT["address"],
        "telephone": CONTACT["telephone"],
        "email": CONTACT["email"],
        "sameAs": CONTACT["sameAs"],
    },
}
OBJECT_TYPES = tuple(OBJECT_FIELDS)


def make_schema(type_: str) -> dict[str, Any]:
    """Return the JSON Schema of a type of object, as `PageObject.to_dict` writes it."""
    fields = {
        name: {
            "description": about,
            "type": "object",
            "properties": {
                "value": schema,
                "source": TEXT,
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "others": {"type": "array", "items": {"type": "object", "properties": {"source": TEXT}}},
            },
            "required": ["value", "source", "confidence"],
        }
        for name, (schema, about) in OBJECT_FIELDS[type_].items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": type_,
        "type": "object",
        "properties": {
            "type": {"const": type_},
            "fields": {"type": "object", "properties": fields, "additionalProperties": False},
        },
        "required": ["type", "fields"],
    }
