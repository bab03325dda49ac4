"""Verifies the requests of webhooks, by the Standard Webhooks specification."""

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Union

#: Seconds that the clocks of sender and receiver may differ, and a request may be late.
_TOLERANCE = 300
_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]+={0,2})")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class WebhookError(Exception):
    """The request of a webhook is not what the service sent now: answer with status 400, and do nothing."""


def verify_webhook(headers: Mapping[str, str], body: Union[str, bytes], secret: str) -> Dict[str, Any]:
    """Verifies the request of a webhook and returns its event, which can arrive again with the same ``webhook-id``.

    Args:
        headers: of the request, with names in any case
        body: as it arrived, not parsed
        secret: ``whsec_…``, shown when the webhook was created

    Raises:
        WebhookError: no signature matches, or the timestamp is more than five minutes away
        ValueError: the secret is malformed
    """
    key = _key_of(secret)
    given = {name.lower(): value for name, value in headers.items()}
    event, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event or not timestamp or not signatures:
        raise WebhookError("tollgate: a header of the webhook is missing")
    data = body.encode("utf-8") if isinstance(body, str) else body
    digest = hmac.new(key, f"{event}.{timestamp}.".encode() + data, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    matches = [hmac.compare_digest(each.encode("utf-8"), expected) for each in signatures.split(" ")]
    if not any(matches):
        raise WebhookError("tollgate: no signature of the webhook matches")
    if not _TIMESTAMP.fullmatch(timestamp) or abs(time.time() - int(timestamp)) > _TOLERANCE:
        raise WebhookError("tollgate: the timestamp of the webhook is more than five minutes away")
    parsed: Dict[str, Any] = json.loads(data)
    return parsed


def _key_of(secret: object) -> bytes:
    match = _SECRET.fullmatch(secret) if isinstance(secret, str) else None
    try:
        return base64.b64decode(match.group(1) if match else "", validate=True) or _malformed()
    except ValueError:
        return _malformed()


def _malformed() -> bytes:
    raise ValueError("tollgate: the secret of a webhook begins with whsec_ and is base64") from None
