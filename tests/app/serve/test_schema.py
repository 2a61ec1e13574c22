"""Check the API against its OpenAPI description with schemathesis, with valid and invalid requests.

Few examples, so that it takes seconds; `BONMUN_EXAMPLES=200` sends more, and different ones each time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("schemathesis")

import schemathesis
from hypothesis import HealthCheck, given, settings
from running import Service, odd_service
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks

from bonmun.app.serve.app import make_app
from bonmun.app.serve.settings import ServiceOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.slow, pytest.mark.extras]

MANY = int(os.environ.get("BONMUN_EXAMPLES", "0"))
EXAMPLES = MANY or 5
DESCRIPTION = make_app(ServiceOptions()).openapi()
CASES = [
    (path, verb, mode)
    for path, verbs in DESCRIPTION["paths"].items()
    for verb in verbs
    for mode in GenerationMode
    if verb != "get" or mode is GenerationMode.POSITIVE  # they take no input
]
load_all_checks()
UNKNOWABLE = schemathesis.checks.CHECKS.get_by_names(["positive_data_acceptance"])  # not every text is a page


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with odd_service(tmp_path_factory.mktemp("serve") / "log", log_level="error") as service:
        yield service


@pytest.mark.parametrize(("path", "verb", "mode"), CASES)
def test_the_service_conforms_to_its_description(service: Service, path: str, verb: str, mode: GenerationMode) -> None:
    operation = schemathesis.openapi.from_dict(DESCRIPTION)[path][verb]

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=not MANY, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        case.call_and_validate(base_url=service.address, excluded_checks=UNKNOWABLE)

    send()
    assert service.http.get("/ready").status_code == 200
