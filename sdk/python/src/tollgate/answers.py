"""What the calls return, and the check that an answer belongs to its call.

An answer for another site, page or intent must never be accepted. Unknown
fields are ignored, because a newer service may send more.
"""

from dataclasses import dataclass
from typing import Any, Literal, Mapping, Optional

from .grammars import is_decision_id, is_uuid, read_whole


@dataclass(frozen=True)
class Intent:
    """An intent."""

    intent_id: str
    sitekey: str
    action: str
    hostname: str
    #: Unix seconds: 300 after its creation.
    expires_at: int


@dataclass(frozen=True)
class Decision:
    """The visitor passed, for exactly this intent, action and hostname, and one unit was charged."""

    intent_id: str
    action: str
    hostname: str
    #: For your records, ``feedback`` and ``create_grant``.
    decision_id: str
    success: Literal[True] = True
    assessment: Literal["passed"] = "passed"


@dataclass(frozen=True)
class FeedbackReceipt:
    """The report was accepted."""

    event_id: str
    #: 1 for the first event of its decision, one more for each correction.
    revision: int
    #: Unix seconds: until when it can be corrected.
    expires_at: int
    accepted: Literal[True] = True
    #: The decision's latest event: this one, unless the call was repeated and the event has been corrected since, here or in
    #: the console. None if the service does not say it.
    latest_event_id: Optional[str] = None


@dataclass(frozen=True)
class Grant:
    """A grant to skip the challenge."""

    #: For ``trusted_grant_id``. Keep it on the server: without a session, its id is sufficient to use it.
    grant_id: str
    #: Unix seconds.
    expires_at: int
    #: How many intents it opens; the site may have capped it.
    uses: int


@dataclass(frozen=True)
class Revocation:
    """The result of ``revoke_grant``."""

    #: Grants revoked by this call; 0 when it is repeated.
    revoked: int


def read_intent(reply: Mapping[str, object], *, sitekey: str, sent: Mapping[str, Any]) -> Optional[Intent]:
    intent_id, expires_at = read_uuid(reply.get("intent_id")), read_whole(reply.get("expires_at"), 0)
    if intent_id is None or expires_at is None or reply.get("sitekey") != sitekey or not _echoes(reply, sent):
        return None
    return Intent(intent_id, sitekey, sent["action"], sent["hostname"], expires_at)


def read_decision(reply: Mapping[str, object], *, sent: Mapping[str, Any]) -> Optional[Decision]:
    decision_id = reply.get("decision_id")
    # `is`: to Python, 1 equals True
    passed = reply.get("success") is True and reply.get("assessment") == "passed"
    echoed = reply.get("intent_id") == sent["intent_id"] and _echoes(reply, sent)
    if not (passed and echoed and isinstance(decision_id, str) and is_decision_id(decision_id)):
        return None
    return Decision(sent["intent_id"], sent["action"], sent["hostname"], decision_id)


def _echoes(reply: Mapping[str, object], sent: Mapping[str, Any]) -> bool:
    return all(reply.get(name) == sent[name] for name in ("action", "hostname"))


def read_feedback(
    reply: Mapping[str, object], latest_event: Optional[str], *, sent: Mapping[str, Any]
) -> Optional[FeedbackReceipt]:
    revision, expires_at = read_whole(reply.get("revision"), 1), read_whole(reply.get("expires_at"), 0)
    taken = reply.get("accepted") is True and reply.get("event_id") == sent["event_id"]
    if revision is None or expires_at is None or not taken:
        return None
    return FeedbackReceipt(sent["event_id"], revision, expires_at, latest_event_id=read_uuid(latest_event))


def read_grant(reply: Mapping[str, object]) -> Optional[Grant]:
    grant_id = read_uuid(reply.get("grant_id"))
    expires_at, uses = read_whole(reply.get("expires_at"), 0), read_whole(reply.get("uses"), 1)
    return None if grant_id is None or expires_at is None or uses is None else Grant(grant_id, expires_at, uses)


def read_revocation(reply: Mapping[str, object]) -> Optional[Revocation]:
    revoked = read_whole(reply.get("revoked"), 0)
    return None if revoked is None else Revocation(revoked)


def read_uuid(value: object) -> Optional[str]:
    """A UUID in lower case, as the service sends it."""
    return value if isinstance(value, str) and is_uuid(value) and value == value.lower() else None
