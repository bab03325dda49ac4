"""The random values of a call: create each once, store it, then send it."""

import secrets
import uuid


def create_nonce() -> str:
    """A nonce for one form, for ``create_intent``: 256 random bits in 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def create_idempotency_key() -> str:
    """An idempotency key for one redemption, for ``verify``: 256 random bits in 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def create_event_id() -> str:
    """An event id for one report, for ``feedback``: a random UUID."""
    return str(uuid.uuid4())
