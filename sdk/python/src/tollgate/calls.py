"""The five calls: their requests, checked before they are sent, and the expected answers."""

import json
import math
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Callable, Generic, Mapping, NamedTuple, Optional, Tuple, TypeVar, Union

from .answers import (
    Decision,
    FeedbackReceipt,
    Grant,
    Intent,
    Revocation,
    read_decision,
    read_feedback,
    read_grant,
    read_intent,
    read_revocation,
)
from .errors import fail
from .explain import explain_choice, explain_offence
from .grammars import (
    Grammar,
    is_decision_id,
    is_hmac,
    is_hostname,
    is_key,
    is_name,
    is_outcome,
    is_token,
    is_ttl,
    is_unix_seconds,
    is_uses,
    is_uuid,
)
from .transport import Reply

T = TypeVar("T")
Text = TypeVar("Text", str, Optional[str])

#: Part of messages, because there is no request id to search for.
_NOT_SENT = "not sent"

#: Found anywhere in a value, as the service does.
_SECRET = re.compile("tg_secret_[0-9A-Za-z]{49}")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request that sends the same bytes at every repetition."""

    path: str
    #: Not shown, because it may contain a visitor's token.
    body: bytes = field(repr=False)
    #: Reads the object and headers of a 200; None if it is not the answer to this call.
    read: Callable[[Mapping[str, object], Reply], Optional[T]] = field(repr=False)
    #: Of the answer, if it has one.
    sitekey: Optional[str] = None


def intent_call(
    sitekey: str,
    *,
    action: str,
    nonce: str,
    hostname: str,
    session: Optional[str],
    subject: Optional[str],
    trusted_grant_id: Optional[str],
) -> Call[Intent]:
    body = _write(
        _Field("action", action, is_name),
        _Field("nonce", nonce, is_key),
        _Field("hostname", hostname, is_hostname),
        _Field("session", session, is_hmac, required=False),
        _Field("subject", subject, is_hmac, required=False),
        _Field("trusted_grant_id", _lower(trusted_grant_id), is_uuid, required=False),
    )
    return Call(
        "/intents",
        body,
        lambda content, _: read_intent(content, sitekey=sitekey, action=action, hostname=hostname),
        sitekey,
    )


def verify_call(
    *, response: Optional[str], intent_id: str, action: str, hostname: str, idempotency_key: str
) -> Call[Decision]:
    intent = _lower(intent_id)
    body = _write(
        _Field("response", response, is_token),
        _Field("intent_id", intent, is_uuid),
        _Field("action", action, is_name),
        _Field("hostname", hostname, is_hostname),
        _Field("idempotency_key", idempotency_key, is_key),
    )
    return Call(
        "/siteverify",
        body,
        lambda content, _: read_decision(content, intent_id=intent, action=action, hostname=hostname),
    )


def feedback_call(
    *,
    decision_id: str,
    event_id: str,
    outcome: str,
    business_type: str,
    occurred_at: Union[int, float, datetime],
    supersedes_event_id: Optional[str],
) -> Call[FeedbackReceipt]:
    event = _lower(event_id)
    body = _write(
        _Field("decision_id", decision_id, is_decision_id),
        _Field("event_id", event, is_uuid),
        _Field("outcome", outcome, is_outcome),
        _Field("business_type", business_type, is_name),
        _Field("occurred_at", _seconds_of(occurred_at), is_unix_seconds),
        _Field("supersedes_event_id", _lower(supersedes_event_id), is_uuid, required=False),
    )
    return Call(
        "/feedback",
        body,
        lambda content, reply: read_feedback(content, event_id=event, latest_event=reply.latest_event),
    )


def grant_call(
    *, decision_id: str, session: Optional[str], ttl: Optional[int], uses: Optional[int]
) -> Call[Grant]:
    body = _write(
        _Field("decision_id", decision_id, is_decision_id),
        _Field("session", session, is_hmac, required=False),
        _Field("ttl", ttl, is_ttl, required=False),
        _Field("uses", uses, is_uses, required=False),
    )
    return Call("/grants", body, lambda content, _: read_grant(content))


def revoke_call(*, grant_id: Optional[str], session: Optional[str]) -> Call[Revocation]:
    body = _write(
        _Field("grant_id", _lower(grant_id), is_uuid, required=False),
        _Field("session", session, is_hmac, required=False),
        one_of=("grant_id", "session"),
    )
    return Call("/grants/revoke", body, lambda content, _: read_revocation(content))


class _Field(NamedTuple):
    """A value with its name on the wire; None means absent."""

    name: str
    value: object
    grammar: Grammar
    required: bool = True


def _write(*fields: _Field, one_of: Tuple[str, ...] = ()) -> bytes:
    """The body, in the order of the contract's table, which is also the order in which errors are reported.

    Exactly one of the fields in ``one_of`` is required.

    Raises:
        TollgateError: ``secret-in-body`` if a value contains text in the form of a secret key; ``bad-request`` if a field is
            missing or malformed
    """
    if any(isinstance(value, str) and _SECRET.search(value) for _, value, _, _ in fields):
        raise fail("secret-in-body", reason=_NOT_SENT)
    given = [name for name, value, _, _ in fields if name in one_of and value is not None]
    # the first if there is none, the second if there are two
    wrong = given[1:] if given else one_of[:1]
    for name, value, grammar, required in fields:
        if name in wrong:
            raise fail("bad-request", field=name, reason=_NOT_SENT, says=explain_choice(name))
        if (required or value is not None) and not grammar(value):
            raise fail("bad-request", field=name, reason=_NOT_SENT, says=explain_offence(name, value))
    present = {name: value for name, value, _, _ in fields if value is not None}
    return json.dumps({name: int(v) if isinstance(v, float) else v for name, v in present.items()}).encode("ascii")


def _lower(value: Text) -> Text:
    """A UUID in lower case. A value that is not text is returned unchanged, to be refused with its field's name."""
    return value.lower() if isinstance(value, str) else value


def _seconds_of(moment: Union[int, float, datetime]) -> object:
    """Unix seconds of a time. A datetime without a time zone is refused."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        return moment
    return math.floor(moment.timestamp())
