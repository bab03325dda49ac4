"""Converts an answer to the call's value or an error. Only a matching 200 is a value."""

import json
import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import NoReturn, Optional, Pattern, Tuple, TypeVar, Union

from .answers import read_uuid
from .calls import Call
from .errors import TollgateError, fail
from .explain import explain_refusal
from .grammars import is_sitekey
from .messages import COMMON, ERRORS
from .transport import NoReply, Reply

T = TypeVar("T")

_CODE = re.compile("[a-z]+(?:-[a-z]+)*")
_FIELD = re.compile("[a-z_]{1,40}")
_REQUEST_ID = re.compile("req_[A-Za-z0-9_-]{1,64}")
_SECONDS = re.compile("[0-9]{1,9}")

_REDIRECTIONS = (301, 302, 303, 307, 308)

#: What the service received as Authorization, and the key of ``COMMON``.
_AUTHORIZATIONS = {"missing": "no_authorization", "malformed": "changed_authorization", "unknown": "unknown_secret"}


def judge(call: Call[T], reply: Union[Reply, NoReply]) -> Union[T, TollgateError]:
    """The value of ``call``, or the error to raise. Its ``retryable`` says whether to repeat the call."""
    if isinstance(reply, NoReply):
        if reply.nothing_sent is None:
            return fail("unreachable", reason=reply.reason, retryable=True)
        key, passes = reply.nothing_sent
        # what is wrong with an address is not better a second later
        return fail("unreachable", reason=reply.reason, retryable=passes, says=COMMON[key])
    if reply.status != 200:
        return _read_refusal(reply)
    if reply.body is None:
        return _tell("unexpected-answer", reply, reason="longer than 64 KiB")
    try:
        content = _parse(reply.body)
    except ValueError:
        # the answer is from a proxy, and the next try may reach the service
        return _tell("unexpected-answer", reply, retryable=True, reason="no JSON")
    value = call.read(content, reply) if isinstance(content, dict) else None
    if value is not None:
        return value
    says = _explain_foreign(call, content.get("sitekey")) if isinstance(content, dict) else None
    return _tell("unexpected-answer", reply, reason="not for this call", says=says)


def _explain_foreign(call: Call[T], sitekey: object) -> Optional[str]:
    """The answer is for another site than that of the site key: the secret is that site's."""
    if call.sitekey is None or sitekey == call.sitekey or not isinstance(sitekey, str) or not is_sitekey(sitekey):
        return None
    return COMMON["foreign"].replace("<theirs>", sitekey).replace("<ours>", call.sitekey)


def _read_refusal(reply: Reply) -> TollgateError:
    retryable = reply.status in (429, 503)
    if reply.status in (502, 504):
        return _tell("unreachable", reply, retryable=True, reason=reply.place, says=COMMON["gateway"])
    code, field = _read_body(reply.body)
    known = ERRORS.get(code or "")
    if code is not None and known is not None and reply.status in known["statuses"]:
        says = explain_refusal(field) if code == "bad-request" and reply.status == 422 and field else None
        if code == "unauthorized":
            says = COMMON.get(_AUTHORIZATIONS.get(reply.received or "", ""))
        return _tell(code, reply, field=field, retryable=retryable, says=says)
    if code is not None and known is None and reply.status >= 400:
        return _tell(code, reply, field=field, retryable=retryable)
    if retryable:
        return _tell("rate-limited" if reply.status == 429 else "unavailable", reply, retryable=True)
    return _tell("unexpected-answer", reply, says=COMMON["redirected"] if reply.status in _REDIRECTIONS else None)


def _read_body(body: Optional[bytes]) -> Tuple[Optional[str], Optional[str]]:
    """Code and field of a refusal's body, if present."""
    try:
        content = None if body is None else _parse(body)
    except ValueError:
        return None, None
    if not isinstance(content, dict):
        return None, None
    return _match(_CODE, content.get("error")), _match(_FIELD, content.get("field"))


def _tell(
    code: str,
    reply: Reply,
    *,
    field: Optional[str] = None,
    retryable: bool = False,
    reason: Optional[str] = None,
    says: Optional[str] = None,
) -> TollgateError:
    return fail(
        code,
        status=reply.status,
        field=field,
        request_id=_match(_REQUEST_ID, reply.request_id),
        retry_after=_read_retry_after(reply),
        retryable=retryable,
        latest_event_id=read_uuid(reply.latest_event),
        reason=reason,
        says=says,
    )


def _read_retry_after(reply: Reply) -> Optional[int]:
    """Seconds, given as a number or as a date. A date is relative to the answer's own ``Date`` header: clocks differ."""
    wait = reply.retry_after
    if wait is None or _SECONDS.fullmatch(wait):
        return None if wait is None else int(wait)
    until = _read_date(wait)
    now = time.time() if reply.date is None else _read_date(reply.date)
    return None if until is None or now is None else max(0, math.ceil(until - now))


def _read_date(text: str) -> Optional[float]:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _match(pattern: Pattern[str], value: object) -> Optional[str]:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _parse(body: bytes) -> object:
    """One JSON document of UTF-8 text. Raises ValueError for anything else."""
    try:
        content: object = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, parse_int=_read_number)
    except RecursionError:
        raise ValueError("nested too deep") from None
    return content


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _read_number(digits: str) -> Union[int, float]:
    # Python refuses to read integers of some thousand digits
    return int(digits) if len(digits) < 20 else float(digits)
