"""The random values of a call: draw each once, store it, then send it."""

import secrets
import uuid


def create_nonce() -> str:
    """Names one form at ``create_intent``: 256 random bits in 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def create_idempotency_key() -> str:
    """Names one redemption at ``verify``: 256 random bits in 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def create_event_id() -> str:
    """Names one report at ``feedback``: a random UUID."""
    return str(uuid.uuid4())
