"""The API against its own description: whatever is sent, the answer is one that the description names.

Needs schemathesis (the `test` extra); without it the file is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from service_stand_ins import ABSENT, LINE, TWO_SEATS, live_table, table_of

from advisor.service.app import create_app
from advisor.service.table_log import MemoryLog

if TYPE_CHECKING:
    from schemathesis import Case

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.checks")
LOG = MemoryLog(table_of())
LOG.apply(TWO_SEATS, "camera")
DESCRIPTION = schemathesis.openapi.from_asgi("/openapi.json", create_app(live_table(ABSENT, LOG)), headers=LINE)
DRAWN = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@DESCRIPTION.include(path_regex="^/api/|^/frame").parametrize()
@DRAWN
def test_every_answer_is_one_that_is_described(case: Case) -> None:
    answer = case.call(headers=LINE)
    if answer.status_code >= 400:
        sentence = answer.json()["error"]
        assert sentence.endswith((".", "?", "!")), sentence
    case.validate_response(
        answer,
        checks=[
            checks.not_a_server_error,
            checks.response_schema_conformance,
            checks.content_type_conformance,
        ],
    )
