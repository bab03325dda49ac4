"""Calls both clients alike, so that all tests run with both."""

import asyncio
import contextlib
import dataclasses
from typing import Any, Iterator, Mapping, Tuple
from unittest import mock

from scripted import Clock
from tollgate import TEST_KEYS, AsyncTollgate, Tollgate

#: Arguments that Python requires and the vectors omit are passed as None.
REQUIRED = {
    "create_intent": ("action", "nonce", "hostname"),
    "verify": ("response", "intent_id", "action", "hostname", "idempotency_key"),
    "feedback": ("decision_id", "event_id", "outcome", "business_type", "occurred_at"),
    "create_grant": ("decision_id",),
    "revoke_grant": (),
}

KINDS: Tuple[Any, ...] = (Tollgate, AsyncTollgate)


def perform(kind: Any, url: str, call: str, fields: Mapping[str, Any], **options: Any) -> Any:
    """Calls a method by its name on the wire on a new client; returns its value as a dictionary, without what is None."""
    client = kind(url=url, **{**TEST_KEYS["pass"], **options})
    arguments = {**dict.fromkeys(REQUIRED[call]), **fields}
    outcome = getattr(client, call)(**arguments)
    value = dataclasses.asdict(asyncio.run(outcome) if kind is AsyncTollgate else outcome)
    return {name: each for name, each in value.items() if each is not None}


@contextlib.contextmanager
def timeless() -> Iterator[Clock]:
    """Waits take no time and are recorded."""
    clock = Clock()
    with (
        mock.patch("tollgate.retry.monotonic", clock.monotonic),
        mock.patch("tollgate.client.sleep", clock.sleep),
        mock.patch("tollgate.async_client.sleep", clock.sleep_async),
    ):
        yield clock
