"""For tests of your backend: a token without a browser."""

import base64
import hashlib
import json
from typing import Any, Dict, Mapping
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from .answers import Intent
from .test_keys import TEST_KEYS

__all__ = ["solve"]

_TIMEOUT = 10
_TEST_SITES = {keys["sitekey"] for keys in TEST_KEYS.values()}


def solve(*, url: str, intent: Intent) -> str:
    """Does what the component does in a browser: requests the challenge of ``intent``, solves it, and returns the token.

    ``verify`` takes the token as ``response``. For test keys only.

    Args:
        url: the service's address
        intent: as ``create_intent`` returned it

    Raises:
        ValueError: the intent is not of a test key's site
        RuntimeError: the service refused, as with ``TEST_KEYS["fail"]``, or cannot be reached; the message says which
    """
    if intent.sitekey not in _TEST_SITES:
        raise ValueError("Tollgate: solve() is for test keys only")
    base, fields = url.rstrip("/"), {"sitekey": intent.sitekey, "intent_id": intent.intent_id}
    puzzle = _post(f"{base}/challenge", intent, {**fields, "kinds": ["pow-sha256"]})
    seed, count, target = bytes.fromhex(puzzle["seed"]), int(puzzle["count"]), int(puzzle["target"])
    nonces = b"".join(_work(seed + index.to_bytes(4, "big"), target) for index in range(count))
    solution = base64.urlsafe_b64encode(nonces).decode("ascii").rstrip("=")
    answer = _post(f"{base}/solve", intent, {**fields, "challenge": puzzle["challenge"], "solution": solution})
    return str(answer["response"])


def _work(start: bytes, target: int) -> bytes:
    number = 0
    while True:
        nonce = number.to_bytes(4, "big")
        if int.from_bytes(hashlib.sha256(start + nonce).digest()[:4], "big") < target:
            return nonce
        number += 1


def _post(url: str, intent: Intent, fields: Mapping[str, Any]) -> Dict[str, Any]:
    headers = {"Content-Type": "application/json", "Origin": f"https://{intent.hostname}"}
    request = Request(url, json.dumps(fields).encode("utf-8"), headers)
    # no proxy of the environment, as the client reads none
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(request, timeout=_TIMEOUT) as reply:
            answer: Dict[str, Any] = json.load(reply)
            return answer
    except HTTPError as error:
        with error:
            said = error.read(1000).decode("utf-8", "replace")
        raise RuntimeError(f"Tollgate: {url} answered {error.code} {said}") from None
    except URLError as error:
        raise RuntimeError(f"Tollgate: {url} cannot be reached ({error.reason})") from None
