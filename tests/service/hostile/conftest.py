"""One court for all tests of a file: its honest matches go on from the first to the last."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.service.hostile.court import Court, court


@pytest_asyncio.fixture(scope="module", loop_scope="session", name="bar")
async def the_court(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Court]:
    """Open a court for the tests of a file."""
    async with court(tmp_path_factory.mktemp("court")) as opened:
        yield opened
        opened.healthy.look()
