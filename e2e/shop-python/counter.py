"""The path of a form, in order: open it, take it, and what may come afterwards."""

import json
import logging
import sqlite3
import time
from typing import Dict, List, NamedTuple, Optional, Union

from fields import Fault, Payload, is_same_content, read_fields, read_one
from store import Store
from tollgate import (
    AlreadyRedeemedError,
    GrantInvalidError,
    GrantsDisabledError,
    Tollgate,
    TollgateError,
    create_event_id,
    create_idempotency_key,
    create_nonce,
    is_response_token,
)

log = logging.getLogger("shop")

BUSINESS_TYPES = {"checkout": "order", "signup": "newsletter"}

#: One use within a quarter of an hour: "next time" and no more. Constants, because a repetition has to ask the same.
GRANT = {"ttl": 900, "uses": 1}


class Counter(NamedTuple):
    """What the flow works with."""

    store: Store
    tollgate: Tollgate
    #: The configured one, under which visitors reach the shop, without port. Intents are opened for it.
    hostname: str


class OpenForm(NamedTuple):
    """A form that may be shown: its record here and its intent at Tollgate."""

    attempt: str
    intent_id: str


class Completed(NamedTuple):
    """The business is done, by this request or by another one of the same form."""

    attempt: str


class Faulty(NamedTuple):
    """Something has to be corrected. Nothing was frozen and nothing was sent to Tollgate."""

    typed: Payload
    faults: List[Fault]


class Changed(NamedTuple):
    """The attempt was already submitted with other content or with another token. This submission does nothing."""


class Refused(NamedTuple):
    """Tollgate did not let it through. The same content and token sent again repeat exactly this request."""

    attempt: str
    typed: Payload
    token: str
    error: TollgateError


#: None: no such form for this session and action.
Submission = Union[Completed, Faulty, Changed, Refused, None]


def open_form(counter: Counter, action: str, session: str) -> OpenForm:
    """Stores the attempt, opens the intent, then attaches it. A session that holds an exemption uses it.

    Raises TollgateError where no intent was opened.
    """
    grant_id = counter.store.pick_exemption(session)
    if grant_id is not None:
        try:
            form = _open_attempt(counter, action, session, grant_id)
            counter.store.use_exemption(grant_id)
            return form
        except (GrantInvalidError, GrantsDisabledError):
            # the visitor passes all the same: by the check, with a nonce of its own
            counter.store.use_exemption(grant_id)
    return _open_attempt(counter, action, session, None)


def _open_attempt(counter: Counter, action: str, session: str, grant_id: Optional[str]) -> OpenForm:
    nonce = create_nonce()
    key = create_idempotency_key()
    attempt = counter.store.create_attempt(action, counter.hostname, session, nonce, key, grant_id)
    try:
        intent = counter.tollgate.create_intent(
            action=action, nonce=nonce, hostname=counter.hostname, session=session, trusted_grant_id=grant_id
        )
    except TollgateError as error:
        _note(counter, attempt, error)
        raise
    counter.store.attach_intent(attempt, intent.intent_id)
    return OpenForm(attempt, intent.intent_id)


def renew_intent(counter: Counter, session: str, intent_id: str) -> Optional[str]:
    """Opens another intent for a form whose own has expired. None: not a form of this session, or it was submitted.

    Raises TollgateError where no intent was opened.
    """
    nonce = create_nonce()
    attempt = counter.store.prepare_renewal(session, intent_id, nonce, create_idempotency_key())
    if attempt is None:
        return None
    intent = counter.tollgate.create_intent(
        action=attempt["action"], nonce=nonce, hostname=counter.hostname, session=session
    )
    return intent.intent_id if counter.store.replace_intent(attempt["id"], intent_id, intent.intent_id) else None


def submit_form(counter: Counter, action: str, session: str, form: Dict[str, List[str]]) -> Submission:
    """The first valid submission is frozen. Every later one must be identical, and gets the same result."""
    key = (read_one(form, "attempt"), action, session)
    attempt = counter.store.find_attempt(*key)
    if attempt is None:
        return None
    typed, faults = read_fields(action, form)
    token = read_one(form, "svc-captcha-response")
    if attempt["token"] is None:
        if not is_response_token(token):
            faults.append(Fault("check", "Please complete the check"))
        if faults:
            return Faulty(typed, faults)
        counter.store.freeze_attempt(attempt["id"], typed, token)
        attempt = counter.store.find_attempt(*key)
        if attempt is None:
            return None
    # of two that arrive at once one is frozen, so this is asked after freezing
    frozen = json.loads(attempt["payload"])
    if token != attempt["token"] or not is_same_content(action, typed, frozen):
        return Changed()
    if attempt["state"] == "completed":
        return Completed(attempt["id"])
    try:
        decision = counter.tollgate.verify(
            response=attempt["token"],
            intent_id=attempt["intent_id"],
            action=attempt["action"],
            hostname=attempt["hostname"],
            idempotency_key=attempt["idempotency_key"],
        )
    except TollgateError as error:
        if isinstance(error, AlreadyRedeemedError) and counter.store.find_sale(attempt["id"], session) is not None:
            return Completed(attempt["id"])
        _note(counter, attempt["id"], error)
        return Refused(attempt["id"], frozen, token, error)
    counter.store.complete(attempt, decision.decision_id)
    return Completed(attempt["id"])


def take_exemption(counter: Counter, attempt: str, session: str, decision_id: str) -> None:
    """Lets the session's next form skip the check. Clicked twice it is one grant: the request is the same."""
    counter.store.request_exemption(attempt, session)
    grant = counter.tollgate.create_grant(decision_id=decision_id, session=session, **GRANT)
    counter.store.keep_exemption(attempt, grant.grant_id, grant.expires_at)


def forget_device(counter: Counter, session: str) -> int:
    """Ends every exemption of the session: here first, so that none is used even if Tollgate cannot be reached."""
    counter.store.forget_exemptions(session)
    return counter.tollgate.revoke_grant(session=session).revoked


def file_report(counter: Counter, attempt: str, action: str, decision_id: str, outcome: str) -> None:
    """Tells Tollgate what became of a decision, or corrects it. One that got no answer goes first, as it was."""
    latest = counter.store.latest_report(attempt)
    if latest is not None and latest["revision"] is None:
        _send_report(counter, action, decision_id, attempt)
    if latest is None or latest["outcome"] != outcome:
        supersedes = None if latest is None else latest["event_id"]
        counter.store.record_report(attempt, create_event_id(), outcome, supersedes)
        _send_report(counter, action, decision_id, attempt)


def _send_report(counter: Counter, action: str, decision_id: str, attempt: str) -> None:
    report = counter.store.latest_report(attempt)
    if report is None:
        return
    receipt = counter.tollgate.feedback(
        decision_id=decision_id,
        event_id=report["event_id"],
        outcome=report["outcome"],
        business_type=BUSINESS_TYPES[action],
        occurred_at=report["occurred_at"],
        supersedes_event_id=report["supersedes"],
    )
    counter.store.accept_report(report["event_id"], receipt.revision, receipt.expires_at)


def standing_of(sale: sqlite3.Row) -> str:
    """How things stand with skipping the next check: ``skipped``, ``ready``, ``over``, ``offered`` or ``late``."""
    now = time.time()
    if sale["grant_id"] is not None:
        return "skipped"
    if sale["given"] is not None and not sale["used"] and not sale["forgotten"] and sale["expires_at"] > now:
        return "ready"
    if sale["given"] is not None or sale["forgotten"]:
        return "over"
    return "offered" if sale["placed_at"] > now - 600 else "late"


def _note(counter: Counter, attempt: str, error: TollgateError) -> None:
    log.warning("attempt %s: %s", attempt, error)
    counter.store.note_refusal(attempt, error.code)
