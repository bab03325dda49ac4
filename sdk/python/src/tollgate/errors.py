"""The errors: the class says what to do, ``code`` says what happened. None of them is ever a pass."""

from typing import Optional, Type

from .messages import ERRORS


class TollgateError(Exception):
    """The call failed, or its result is unknown. Raised itself only for a code that is newer than this version."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: Optional[int] = None,
        field: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        retryable: bool = False,
        latest_event_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        #: The service's code, or ``unreachable`` or ``unexpected-answer``.
        self.code = code
        #: HTTP status; None if no answer came, or nothing was sent because a value breaks a rule.
        self.status = status
        #: Name of the offending field on the wire, with ``bad-request``.
        self.field = field
        #: The answer's X-Request-Id, for searching in the console and for support.
        self.request_id = request_id
        #: Seconds that the service asked to wait.
        self.retry_after = retry_after
        #: Whether the same call with the same values may succeed a moment later. It was already repeated.
        self.retryable = retryable
        #: With ``supersede-required`` and ``supersede-stale``: the decision's latest event, for ``supersedes_event_id`` of a new
        #: event if the report is still needed. None if the decision has no feedback.
        self.latest_event_id = latest_event_id


class RefusedError(TollgateError):
    """The service refused, for a reason that is not yours. Of ``verify``: the visitor is not verified; show a fresh form."""


class UnavailableError(TollgateError):
    """No decision was possible, or it is not known. The same call may succeed later; nothing is done twice."""


class MisconfiguredError(TollgateError):
    """Keys, address, site or a proxy in between are not right, so that every call fails: alert yourself."""


class InvalidError(TollgateError):
    """A value of the call breaks a rule, or is not the one that you stored: a mistake in your program."""


_CLASSES = {kind.__name__: kind for kind in (RefusedError, UnavailableError, MisconfiguredError, InvalidError)}


def _class_of(code: str, field: Optional[str]) -> Type[TollgateError]:
    # a response is the visitor's value, so a malformed one is no mistake of the program
    if (code, field) == ("bad-request", "response"):
        return RefusedError
    return _CLASSES[ERRORS[code]["class"]] if code in ERRORS else TollgateError


def fail(
    code: str,
    *,
    status: Optional[int] = None,
    field: Optional[str] = None,
    request_id: Optional[str] = None,
    retry_after: Optional[int] = None,
    retryable: bool = False,
    latest_event_id: Optional[str] = None,
    reason: Optional[str] = None,
    says: Optional[str] = None,
) -> TollgateError:
    """The error of this code, in its class.

    Args:
        reason: additional details, in a few words
        says: a more specific sentence than that of the code, without its full stop
    """
    kind = ERRORS.get(code)
    says = says or (kind["says"] if kind else "The service refused in a way that this version does not know")
    error = UnavailableError if retryable else _class_of(code, field)
    facts = [
        code,
        "" if field is None else f"field {field}",
        "" if status is None else f"status {status}",
        reason or "",
        request_id or "",
    ]
    return error(
        f"{says}. ({', '.join(filter(None, facts))})",
        code=code,
        status=status,
        field=field,
        request_id=request_id,
        retry_after=retry_after,
        retryable=retryable,
        latest_event_id=latest_event_id,
    )
