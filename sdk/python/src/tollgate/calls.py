"""The five calls: their requests, checked before they are sent, and the expected answers."""

import json
import math
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Dict, Generic, Mapping, NamedTuple, Optional, Tuple, TypeVar

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


class _Field(NamedTuple):
    """A field on the wire."""

    name: str
    grammar: Grammar
    required: bool = True


# in the order of the contract's tables, which is also the order in which errors are reported
_INTENT = (
    _Field("action", is_name),
    _Field("nonce", is_key),
    _Field("hostname", is_hostname),
    _Field("session", is_hmac, required=False),
    _Field("subject", is_hmac, required=False),
    _Field("trusted_grant_id", is_uuid, required=False),
)
_REDEMPTION = (
    _Field("response", is_token),
    _Field("intent_id", is_uuid),
    _Field("action", is_name),
    _Field("hostname", is_hostname),
    _Field("idempotency_key", is_key),
)
_FEEDBACK = (
    _Field("decision_id", is_decision_id),
    _Field("event_id", is_uuid),
    _Field("outcome", is_outcome),
    _Field("business_type", is_name),
    _Field("occurred_at", is_unix_seconds),
    _Field("supersedes_event_id", is_uuid, required=False),
)
_GRANT = (
    _Field("decision_id", is_decision_id),
    _Field("session", is_hmac, required=False),
    _Field("ttl", is_ttl, required=False),
    _Field("uses", is_uses, required=False),
)
_REVOCATION = (_Field("grant_id", is_uuid, required=False), _Field("session", is_hmac, required=False))


def intent_call(sitekey: str, **values: object) -> Call[Intent]:
    sent, body = _write(_INTENT, values)
    return Call("/intents", body, lambda content, _: read_intent(content, sitekey=sitekey, sent=sent), sitekey)


def verify_call(**values: object) -> Call[Decision]:
    sent, body = _write(_REDEMPTION, values)
    return Call("/siteverify", body, lambda content, _: read_decision(content, sent=sent))


def feedback_call(**values: object) -> Call[FeedbackReceipt]:
    sent, body = _write(_FEEDBACK, values)
    return Call("/feedback", body, lambda content, reply: read_feedback(content, reply.latest_event, sent=sent))


def grant_call(**values: object) -> Call[Grant]:
    _, body = _write(_GRANT, values)
    return Call("/grants", body, lambda content, _: read_grant(content))


def revoke_call(**values: object) -> Call[Revocation]:
    _, body = _write(_REVOCATION, values, one_of=("grant_id", "session"))
    return Call("/grants/revoke", body, lambda content, _: read_revocation(content))


def _write(
    fields: Tuple[_Field, ...], values: Mapping[str, object], one_of: Tuple[str, ...] = ()
) -> Tuple[Dict[str, Any], bytes]:
    """The values as they are sent, and the body. None means absent. Exactly one of the fields in ``one_of`` is required.

    Raises:
        TollgateError: ``secret-in-body`` if a value contains text in the form of a secret key; ``bad-request`` if a field is
            missing or malformed
    """
    if any(isinstance(value, str) and _SECRET.search(value) for value in values.values()):
        raise fail("secret-in-body", reason=_NOT_SENT)
    given = [name for name in one_of if values[name] is not None]
    # the first if there is none, the second if there are two
    wrong = given[1:] if given else one_of[:1]
    sent: Dict[str, Any] = {}
    for name, grammar, required in fields:
        value = _convert(values[name], grammar)
        if name in wrong:
            raise fail("bad-request", field=name, reason=_NOT_SENT, says=explain_choice(name))
        if (required or value is not None) and not grammar(value):
            raise fail("bad-request", field=name, reason=_NOT_SENT, says=explain_offence(name, value))
        if value is not None:
            sent[name] = int(value) if isinstance(value, float) else value
    return sent, json.dumps(sent).encode("ascii")


def _convert(value: object, grammar: Grammar) -> object:
    """A UUID in lower case; Unix seconds of a time, unless it has no time zone. Other values are returned as they are."""
    if grammar is is_uuid and isinstance(value, str):
        return value.lower()
    return math.floor(value.timestamp()) if isinstance(value, datetime) and value.tzinfo is not None else value
