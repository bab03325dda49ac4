"""Keyed hashes of sessions and subjects, which show only whether two are the same."""

import hashlib
import hmac
import re
from typing import Union

_SHORTEST_KEY = 16
_SECRET = re.compile(rb"tg_secret_[0-9A-Za-z]{49}")


def hash_session(key: Union[str, bytes], session_id: str) -> str:
    """HMAC-SHA-256 of the visitor's session id, 64 hex digits, for ``session``.

    Args:
        key: your own, at least 16 bytes, the same for the lifetime of sessions and grants
        session_id: the id in your session store

    Raises:
        ValueError: the key is too short or a Tollgate secret, or the value is empty or not valid Unicode
    """
    return _hash(key, b"session:", session_id)


def hash_subject(key: Union[str, bytes], subject: str) -> str:
    """HMAC-SHA-256 of the target of the action, 64 hex digits, for ``subject``.

    Normalise the value first: for example, trim and lower-case an e-mail address.

    Args:
        key: your own, at least 16 bytes
        subject: an account's id, an e-mail address, a card's fingerprint

    Raises:
        ValueError: the key is too short or a Tollgate secret, or the value is empty or not valid Unicode
    """
    return _hash(key, b"subject:", subject)


def _hash(key: object, purpose: bytes, value: object) -> str:
    secret = _bytes_of(key) if isinstance(key, str) else key
    if not isinstance(secret, bytes) or len(secret) < _SHORTEST_KEY:
        raise ValueError("tollgate: the key must be a text or bytes of at least 16 bytes, and yours alone")
    if _SECRET.search(secret):
        raise ValueError("tollgate: the key must not be a Tollgate secret: those rotate, and every hash would change")
    if not isinstance(value, str) or value == "":
        raise ValueError("tollgate: there is nothing to hash: pass a text that is not empty")
    return hmac.new(secret, purpose + _bytes_of(value), hashlib.sha256).hexdigest()


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # the original error would quote the text
        raise ValueError("tollgate: the text has a lone surrogate: it is no Unicode") from None
