"""The errors: a class for each code of the service.

Decide by the class or by ``code``; ``retryable`` says whether the same call with the same values may still succeed.
None of them is ever a pass.
"""

from typing import Mapping, Optional, Tuple, Type

from .messages import COMMON


class TollgateError(Exception):
    """The call failed, or its result is unknown.

    Raised itself only for a code that is unknown to this version.
    """

    #: The service's code, or ``unreachable`` or ``unexpected-answer``.
    code: str = ""
    #: Whether the same call with the same values may still succeed.
    retryable: bool = False
    #: The statuses with which the service sends the code; none for what only the SDK says.
    statuses: Tuple[int, ...] = ()
    #: What happened and what to do.
    _says: str = "The service refused with a code that this version of the SDK does not know: see its documentation"

    #: HTTP status; None if no answer came, or nothing was sent because a value breaks a rule.
    status: Optional[int]
    #: Name of the offending field on the wire, with ``bad-request``.
    field: Optional[str]
    #: The answer's X-Request-Id, for searching in the console and for support.
    request_id: Optional[str]
    #: Seconds that the service asked to wait.
    retry_after: Optional[int]

    def __init__(
        self,
        message: Optional[str] = None,
        *,
        code: Optional[str] = None,
        status: Optional[int] = None,
        field: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        retryable: Optional[bool] = None,
        reason: Optional[str] = None,
        says: Optional[str] = None,
    ) -> None:
        if code is not None:
            self.code = code
        if retryable is not None:
            self.retryable = retryable
        self.status = status
        self.field = field
        self.request_id = request_id
        self.retry_after = retry_after
        # a copy, for example by pickle, gets the complete message
        super().__init__(self._describe(reason, says or self._says) if message is None else message)

    def _describe(self, reason: Optional[str], says: str) -> str:
        facts = [
            self.code,
            "" if self.status is None else f"status {self.status}",
            "" if self.field is None else f"field {self.field}",
            "" if self.request_id is None else f"request {self.request_id}",
            reason or "",
        ]
        return f"{says} ({', '.join(filter(None, facts))})."


class UnreachableError(TollgateError):
    """No complete answer before the deadline. Whether the call was carried out is unknown."""

    code = "unreachable"
    retryable = True
    _says = (
        "Tollgate could not be reached in time, so the outcome is unknown: "
        "repeat the call with the same values, which settles it without a second charge"
    )


class UnexpectedAnswerError(TollgateError):
    """The answer is not from Tollgate or not for this call. Never a pass."""

    code = "unexpected-answer"
    _says = (
        "The answer is not one that Tollgate gives to this call: "
        "check the url, the keys and the proxies in between, and treat the visitor as not verified"
    )


class BadRequestError(TollgateError):
    """A field is missing, malformed or not this site's; ``field`` names it. Found before sending where possible."""

    code = "bad-request"
    statuses = (400, 422)
    _says = "A value of the call is missing, malformed or not this site's: correct the field that is named"


class SecretInBodyError(TollgateError):
    """A value of the call contains a secret key."""

    code = "secret-in-body"
    statuses = (422,)
    _says = "A value of the call contains a secret key: never pass it on, and rotate it, for it may have been logged"


class UnauthorizedError(TollgateError):
    """The secret is unknown, revoked or past its rotation's overlap."""

    code = "unauthorized"
    statuses = (401,)
    _says = (
        "The secret is unknown or revoked, or a proxy removed the Authorization header: "
        "configure a live secret of this site, and let proxies pass the header on"
    )


class QuotaExceededError(TollgateError):
    """The tenant has neither monthly quota nor balance left. Nothing was charged and the token is not used up."""

    code = "quota-exceeded"
    statuses = (402,)
    _says = "Neither quota nor balance is left: raise one of them, then repeat the call with the same values"


class SiteDisabledError(TollgateError):
    """The site is paused or its tenant is suspended."""

    code = "site-disabled"
    statuses = (403,)
    _says = "The site is paused or its tenant is suspended: resume it in the console, or ask support"


class GrantsDisabledError(TollgateError):
    """Grants are off, in this deployment or for this site."""

    code = "grants-disabled"
    statuses = (403,)
    _says = "Grants are off for this site or deployment: open the intent without one, with a new nonce"


class NotFoundError(TollgateError):
    """The service has no such path."""

    code = "not-found"
    statuses = (404,)
    _says = "The service has no such path: check the url, above all what it has after the host"


class MethodNotAllowedError(TollgateError):
    """The service does not accept POST there."""

    code = "method-not-allowed"
    statuses = (405,)
    _says = "The service does not accept this method: check the url and the proxies in between"


class NonceConflictError(TollgateError):
    """This nonce was already used for an intent with other fields."""

    code = "nonce-conflict"
    statuses = (409,)
    _says = "This nonce was already used with other fields: create one for each form, repeat it only with the same fields"


class IntentExpiredError(TollgateError):
    """The intent and its token have expired after 300 seconds."""

    code = "intent-expired"
    statuses = (409,)
    _says = "The intent is past its life: show a fresh form, with a new intent and a new nonce"


class GrantInvalidError(TollgateError):
    """The grant is unknown, of another site or session, expired, revoked or used up; or the decision does not qualify for one."""

    code = "grant-invalid"
    statuses = (409,)
    _says = "The grant cannot be used, or the decision gives none: open the intent without a grant, with a new nonce"


class ResponseInvalidError(TollgateError):
    """The token is forged, altered, or of another intent or site."""

    code = "response-invalid"
    statuses = (409,)
    _says = "The token does not belong to this intent: treat the visitor as not verified and show a fresh form"


class BindingMismatchError(TollgateError):
    """Action or hostname differ from the intent's."""

    code = "binding-mismatch"
    statuses = (409,)
    _says = "Action or hostname differ from the intent's: send those that were stored with it"


class AlreadyRedeemedError(TollgateError):
    """Redeemed with another idempotency key, or more than ten minutes ago."""

    code = "already-redeemed"
    statuses = (409,)
    _says = "The intent has been redeemed already: look up what was stored for it, and do not run the action again"


class IdempotencyConflictError(TollgateError):
    """The idempotency key redeemed the intent with other parameters."""

    code = "idempotency-conflict"
    statuses = (409,)
    _says = "This idempotency key was used with other values: freeze them at the first submission and repeat those"


class FeedbackClosedError(TollgateError):
    """More than seven days have passed since the redemption, or the decision has 20 revisions already."""

    code = "feedback-closed"
    statuses = (409,)
    _says = "The decision is older than seven days or has 20 revisions: it takes no more feedback"


class EventConflictError(TollgateError):
    """This event id was used with other fields."""

    code = "event-conflict"
    statuses = (409,)
    _says = "This event id was used with other fields: draw a new one, and to correct name the event it supersedes"


class SupersedeRequiredError(TollgateError):
    """The decision has feedback already, for example from the console."""

    code = "supersede-required"
    statuses = (409,)
    #: The decision's latest event, for ``supersedes_event_id`` of a new event if the report is still needed.
    latest_event_id: Optional[str] = None
    _says = COMMON["supersede_required"]


class SupersedeStaleError(TollgateError):
    """The event to supersede is not the decision's latest, for example after a correction in the console."""

    code = "supersede-stale"
    statuses = (409,)
    #: The decision's latest event, for ``supersedes_event_id`` of a new event if the report is still needed. None if the
    #: decision has no feedback.
    latest_event_id: Optional[str] = None
    _says = COMMON["supersede_stale"]


class GrantExistsError(TollgateError):
    """This decision already issued a grant with other fields."""

    code = "grant-exists"
    statuses = (409,)
    _says = "This decision already issued a grant with other fields: use the one that you stored"


class PayloadTooLargeError(TollgateError):
    """The body is too large, for the service or for something in between."""

    code = "payload-too-large"
    statuses = (413,)
    _says = "The body is too large: send only the documented fields"


class UnsupportedMediaTypeError(TollgateError):
    """The body was not received as JSON."""

    code = "unsupported-media-type"
    statuses = (415,)
    _says = "The body did not arrive as JSON: check the proxies in between, and that they do not compress"


class RateLimitedError(TollgateError):
    """A limit was reached; ``retry_after`` says for how long."""

    code = "rate-limited"
    statuses = (429,)
    retryable = True
    _says = "A limit was reached: repeat the same call after the seconds of retry_after"


class InternalError(TollgateError):
    """An internal error of the service, logged there with the request id."""

    code = "internal-error"
    statuses = (500,)
    _says = "The service failed: repeat the same call later, and tell support the request id if it stays"


class UnavailableError(TollgateError):
    """The service is overloaded, closing, or cannot reach its database in time."""

    code = "unavailable"
    statuses = (503,)
    retryable = True
    _says = "The service is not available now: repeat the same call later, nothing is charged twice"


#: Every code of the service that a backend can get, and its class.
CODES: Mapping[str, Type[TollgateError]] = {
    error.code: error
    for error in (
        BadRequestError,
        SecretInBodyError,
        UnauthorizedError,
        QuotaExceededError,
        SiteDisabledError,
        GrantsDisabledError,
        NotFoundError,
        MethodNotAllowedError,
        NonceConflictError,
        IntentExpiredError,
        GrantInvalidError,
        ResponseInvalidError,
        BindingMismatchError,
        AlreadyRedeemedError,
        IdempotencyConflictError,
        FeedbackClosedError,
        EventConflictError,
        SupersedeRequiredError,
        SupersedeStaleError,
        GrantExistsError,
        PayloadTooLargeError,
        UnsupportedMediaTypeError,
        RateLimitedError,
        InternalError,
        UnavailableError,
    )
}
