"""A real deployment, if one was started for the tests: the service, a proxy that injects faults, and the counts."""

import base64
import json
import os
import random
import unittest
import urllib.request
from typing import Any, Dict, List, Mapping, Optional

import tollgate
from tollgate.testing import _work

URL = os.environ.get("TOLLGATE_URL", "")
KEYS: tollgate.SiteKeys = {
    "sitekey": os.environ.get("TOLLGATE_SITEKEY", ""),
    "secret": os.environ.get("TOLLGATE_SECRET", ""),
}
FAULTS_URL = os.environ.get("FAULTS_URL", "")

_FAULTS_CONTROL = os.environ.get("FAULTS_CONTROL", "")
_BOOKS_URL = os.environ.get("BOOKS_URL", "")

needs_deployment = unittest.skipUnless(_BOOKS_URL, "scripts/sdkTests.ts starts the deployment")

Fields = Mapping[str, Any]


def plan(*faults: Fields) -> None:
    """The faults of the next requests through ``FAULTS_URL``, in order."""
    _exchange(_FAULTS_CONTROL, list(faults))


def seen() -> Dict[str, List[Dict[str, Any]]]:
    """The requests since the plan was made: ``here``, and ``elsewhere``, which must never receive any."""
    answer: Dict[str, List[Dict[str, Any]]] = _exchange(_FAULTS_CONTROL)
    return answer


def books() -> Dict[str, int]:
    """The number of intents, decisions, charges, reports and grants in the service's database."""
    answer: Dict[str, int] = _exchange(_BOOKS_URL)
    return answer


def open_intent(session: Optional[str] = None, keys: tollgate.SiteKeys = KEYS) -> Dict[str, str]:
    """Opens an intent; returns the values that a shop would store."""
    client = tollgate.Tollgate(url=URL, **keys)
    intent = client.create_intent(
        action="checkout", nonce=tollgate.create_nonce(), hostname="localhost", session=session
    )
    return {"intent_id": intent.intent_id, "action": intent.action, "hostname": intent.hostname}


def earn(session: Optional[str] = None, keys: tollgate.SiteKeys = KEYS) -> Dict[str, str]:
    """Opens an intent and solves its challenge; returns the arguments of ``verify``."""
    intent = open_intent(session, keys)
    token = solve(intent["intent_id"], keys["sitekey"])
    return {**intent, "response": token, "idempotency_key": tollgate.create_idempotency_key()}


def solve(intent_id: str, sitekey: str = KEYS["sitekey"]) -> str:
    """Solves a challenge as the component does in a browser."""
    # each visitor has its own network
    visitor = {
        "Origin": "http://localhost",
        "X-Forwarded-For": f"10.{'.'.join(str(random.randrange(256)) for _ in '123')}",
    }
    intent = {"sitekey": sitekey, "intent_id": intent_id}
    puzzle = _exchange(f"{URL}/challenge", intent, visitor)
    seed = bytes.fromhex(puzzle["seed"])
    nonces = b"".join(_work(seed + index.to_bytes(4, "big"), puzzle["target"]) for index in range(puzzle["count"]))
    solution = base64.urlsafe_b64encode(nonces).decode("ascii").rstrip("=")
    answer = {**intent, "challenge": puzzle["challenge"], "solution": solution}
    return str(_exchange(f"{URL}/solve", answer, visitor)["response"])


def _exchange(url: str, content: Any = None, headers: Optional[Dict[str, str]] = None) -> Any:
    body = None if content is None else json.dumps(content).encode("utf-8")
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **(headers or {})})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as reply:
        return json.load(reply)
