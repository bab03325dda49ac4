"""For tests of your backend: a token without a browser."""

import base64
import hashlib
import json
from http.client import HTTPException
from typing import Any, Dict, Mapping
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from .answers import Intent
from .messages import COMPONENT, ERRORS
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
    if puzzle.get("kind") == "none":
        return str(puzzle["response"])
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
            answer = json.load(reply)
    except HTTPError as error:
        with error:
            said = error.read(1000).decode("utf-8", "replace")
        raise RuntimeError(f"Tollgate: {url} answered {error.code} {said}. {_explain(said)}".strip()) from None
    except ValueError:
        answer = None
    except (OSError, HTTPException) as error:
        raise RuntimeError(f"Tollgate: {url} cannot be reached ({getattr(error, 'reason', error)})") from None
    if not isinstance(answer, dict) or not ("challenge" in answer or "response" in answer):
        raise RuntimeError(f"Tollgate: the answer of {url} is not the service's: check the address and the proxies")
    return answer


def _explain(said: str) -> str:
    """What happened and what to do, by the code of the answer."""
    try:
        content = json.loads(said)
    except ValueError:
        return ""
    code = str(content.get("error")) if isinstance(content, dict) else ""
    says = COMPONENT.get(code) or ERRORS.get(code, {}).get("says", "")
    return f"{says}." if says else ""
