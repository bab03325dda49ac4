"""A form from its opening to its order, and what may follow: exemptions and reports."""

import json
import logging
import sqlite3
import uuid
from typing import Dict, NamedTuple, Optional, Tuple

import tollgate
from fields import Form, Payload, is_same_content, read_fields, read_one
from records import Shop
from tollgate import TollgateError

log = logging.getLogger("shop")


class Submission(NamedTuple):
    """What became of a submitted form.

    - ``completed``: the order is placed, by this submission or by an identical one before it.
    - ``faulty``: the fields are not valid or the check is not completed. Nothing is frozen.
    - ``changed``: it was submitted before with other content or another token. This submission is refused.
    - ``refused``: Tollgate refused, or did not answer. Nothing was ordered, and the same fields can be sent again.
    - ``foreign``: the session has no such form.
    """

    kind: str
    #: What was typed, and with ``faulty`` a message for each field to correct.
    payload: Payload = {}
    faults: Dict[str, str] = {}
    error: Optional[TollgateError] = None


def open_form(shop: Shop, action: str, session: str) -> Tuple[str, str]:
    """Opens a form, with the session's exemption if it has one. Returns the attempt and its intent.

    Raises TollgateError if no intent was opened.
    """
    find = "select grant_id from exemptions where session = ? and expires_at > strftime('%s', 'now') + 0 and not ended"
    grants = shop.records.read(find, session)
    if not grants:
        return _open_attempt(shop, action, session, None)
    end, grant_id = "update exemptions set ended = 1 where grant_id = ?", grants[0]["grant_id"]
    try:
        form = _open_attempt(shop, action, session, grant_id)
        shop.records.write(end, grant_id)
        return form
    except (tollgate.GrantInvalidError, tollgate.GrantsDisabledError):
        shop.records.write(end, grant_id)
    # the check is requested instead, for an intent with a nonce of its own
    return _open_attempt(shop, action, session, None)


def _open_attempt(shop: Shop, action: str, session: str, grant_id: Optional[str]) -> Tuple[str, str]:
    attempt, nonce = str(uuid.uuid4()), tollgate.create_nonce()
    shop.records.write(
        """insert into attempts (id, action, hostname, session, nonce, idempotency_key, grant_id)
           values (?, ?, ?, ?, ?, ?, ?)""",
        *(attempt, action, shop.hostname, session, nonce, tollgate.create_idempotency_key(), grant_id),
    )
    try:
        intent = shop.tollgate.create_intent(
            action=action, nonce=nonce, hostname=shop.hostname, session=session, trusted_grant_id=grant_id
        )
    except TollgateError as error:
        _note_refusal(shop, attempt, error)
        raise
    attach = "update attempts set intent_id = ? where id = ? and intent_id is null"
    if shop.records.write(attach, intent.intent_id, attempt) != 1:
        raise RuntimeError("the attempt has an intent")
    return attempt, intent.intent_id


def renew_intent(shop: Shop, session: str, expired: str) -> Optional[str]:
    """Opens another intent for a form whose intent has expired, as the component requests it (``data-renew``).

    None if the form is not of this session, or was submitted. Raises TollgateError if no intent was opened.
    """
    nonce = tollgate.create_nonce()
    shop.records.write(
        """update attempts set nonce = ?, idempotency_key = ?
           where session = ? and ? in (intent_id, renewed_intent_id) and token is null""",
        *(nonce, tollgate.create_idempotency_key(), session, expired),
    )
    for attempt in shop.records.read("select id, action, hostname from attempts where nonce = ?", nonce):
        intent = shop.tollgate.create_intent(
            action=attempt["action"], nonce=nonce, hostname=attempt["hostname"], session=session
        )
        renewed = shop.records.write(
            """update attempts set intent_id = ?, renewed_intent_id = ?, grant_id = null
               where id = ? and token is null""",
            *(intent.intent_id, expired, attempt["id"]),
        )
        return intent.intent_id if renewed else None
    return None


def submit_form(shop: Shop, action: str, session: str, form: Form) -> Submission:
    """Takes a submission: the first one of an attempt, or a later one."""
    find = "select * from attempts where id = ? and action = ? and session = ? and intent_id is not null"
    key = (read_one(form, "attempt"), action, session)
    attempt = next(iter(shop.records.read(find, *key)), None)
    if attempt is None:
        return Submission("foreign")
    typed, faults = read_fields(action, form)
    # the token comes from this field only, and a value that cannot be a token counts as none
    token = read_one(form, "svc-captcha-response")
    if attempt["token"] is None:
        if not tollgate.is_response_token(token):
            faults["check"] = "Please complete the check"
        if faults:
            return Submission("faulty", typed, faults)
        shop.records.write(
            "update attempts set payload = ?, token = ? where id = ? and token is null",
            *(json.dumps(typed), token, attempt["id"]),
        )
        # read again: another submission can have been first, or the intent was renewed
        (attempt,) = shop.records.read(find, *key)
    frozen = json.loads(attempt["payload"])
    if token != attempt["token"] or not is_same_content(action, typed, frozen):
        return Submission("changed")
    if shop.records.find_sale(attempt["id"], session) is not None:
        return Submission("completed")
    try:
        # every value comes from the record, so a repetition is the same request and gets the same decision
        names = ("intent_id", "action", "hostname", "idempotency_key")
        decision = shop.tollgate.verify(response=attempt["token"], **{name: attempt[name] for name in names})
    except TollgateError as error:
        _note_refusal(shop, attempt["id"], error)
        return Submission("refused", frozen, error=error)
    # the business: the unique constraints let it happen once; payment and e-mail would start from its row
    shop.records.write(
        "insert into orders (attempt_id, decision_id, action, payload) values (?, ?, ?, ?) on conflict do nothing",
        *(attempt["id"], decision.decision_id, action, attempt["payload"]),
    )
    return Submission("completed")


def take_exemption(shop: Shop, sale: sqlite3.Row) -> None:
    """Requests an exemption from the next challenge. Two clicks get the same grant: the request is the same."""
    # this shop does not renew: an order without a challenge gets no further exemption
    if sale["exemption"] not in ("offered", None):
        return
    attempt, session = sale["id"], sale["session"]
    request = "insert into exemptions (attempt_id, session) values (?, ?) on conflict do nothing"
    shop.records.write(request, attempt, session)
    grant = shop.tollgate.create_grant(decision_id=sale["decision_id"], session=session, ttl=900, uses=1)
    shop.records.write(
        "update exemptions set grant_id = ?, expires_at = ? where attempt_id = ? and grant_id is null and not ended",
        *(grant.grant_id, grant.expires_at, attempt),
    )


def forget_device(shop: Shop, session: str) -> int:
    """Ends every exemption of the session: first here, so that none is used even if Tollgate cannot be reached."""
    shop.records.write("update exemptions set ended = 1 where session = ?", session)
    return shop.tollgate.revoke_grant(session=session).revoked


def file_report(shop: Shop, sale: sqlite3.Row, outcome: str) -> None:
    """Reports what became of a decision, or corrects the latest report. One without an answer is first sent again."""
    if sale["event_id"] is not None and sale["revision"] is None:
        _send_report(shop, sale)
    if sale["outcome"] == outcome:
        return
    shop.records.write(
        "insert into reports (event_id, attempt_id, outcome, supersedes) values (?, ?, ?, ?) on conflict do nothing",
        *(tollgate.create_event_id(), sale["id"], outcome, sale["event_id"] or ""),
    )
    latest = shop.records.find_sale(sale["id"], sale["session"])
    if latest is not None:
        file_report(shop, latest, outcome)


def _send_report(shop: Shop, sale: sqlite3.Row) -> None:
    try:
        receipt = shop.tollgate.feedback(
            decision_id=sale["decision_id"],
            event_id=sale["event_id"],
            outcome=sale["outcome"],
            business_type="order" if sale["action"] == "checkout" else "newsletter",
            occurred_at=sale["occurred_at"],
            supersedes_event_id=sale["supersedes"] or None,
        )
    except TollgateError as error:
        # after a final answer the report is not repeated; after any other failure it may have arrived
        if error.status in (409, 422) and error.code != "unexpected-answer":
            shop.records.write("update reports set refusal = ? where event_id = ?", error.code, sale["event_id"])
        raise
    shop.records.write(
        "update reports set revision = ?, correctable_until = ? where event_id = ?",
        *(receipt.revision, receipt.expires_at, sale["event_id"]),
    )


def _note_refusal(shop: Shop, attempt: str, error: TollgateError) -> None:
    log.warning("attempt %s: %s", attempt, error)
    shop.records.write("update attempts set refusal = ? where id = ?", error.code, attempt)
