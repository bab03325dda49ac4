"""The message for the visitor if Tollgate refused a form, and what they can do next."""

from typing import NamedTuple

from tollgate import (
    AlreadyRedeemedError,
    BindingMismatchError,
    GrantExistsError,
    GrantInvalidError,
    GrantsDisabledError,
    IdempotencyConflictError,
    IntentExpiredError,
    QuotaExceededError,
    RateLimitedError,
    ResponseInvalidError,
    TollgateError,
)


class Advice(NamedTuple):
    status: int
    title: str
    text: str
    #: ``repeat`` sends the same attempt again; ``renew`` shows a new form with what was typed; ``leave`` is neither.
    next: str


_UNDONE = {
    "checkout": "We couldn’t take your order right now; nothing was charged.",
    "signup": "We couldn’t sign you up right now.",
}
_RENEWALS = {
    IntentExpiredError: "The check ran out of time. Here is a fresh form with what you typed.",
    AlreadyRedeemedError: "This check has been used already. Here is a fresh form with what you typed.",
}
_MISMATCH = "The check didn’t fit this form. Here is a fresh one with what you typed; please send it again."


def advise_on(error: TollgateError, action: str) -> Advice:
    """Puts an error into words. Total over whatever may be raised, and none of it counts as success."""
    if isinstance(error, QuotaExceededError):
        text = f"{_UNDONE[action]} The fault is ours, not yours: please try again a little later."
        return Advice(402, "The counter is closed for a moment", text, "repeat")
    if isinstance(error, (IntentExpiredError, AlreadyRedeemedError, ResponseInvalidError)):
        return Advice(409, "One more time, please", _RENEWALS.get(type(error), _MISMATCH), "renew")
    if isinstance(error, (BindingMismatchError, IdempotencyConflictError)):
        return Advice(409, "One more time, please", _MISMATCH, "renew")
    if isinstance(error, RateLimitedError):
        text = f"{_UNDONE[action]} Please wait {error.retry_after or 10} seconds, then try again."
        return Advice(429, "It’s busy just now", text, "repeat")
    if error.retryable or (error.status or 0) >= 500:
        text = "We couldn’t finish the check just now. Try again: it goes on where it stopped; nothing happens twice."
        return Advice(503, "That took too long", text, "repeat")
    text = f"{_UNDONE[action]} We are looking into it. Please come back later."
    return Advice(500, "Something is wrong on our side", text, "leave")


def regret_exemption(error: TollgateError) -> str:
    if isinstance(error, (GrantInvalidError, GrantExistsError, GrantsDisabledError)):
        return "Skipping the check isn’t possible this time. The next form asks for it as usual."
    return "We couldn’t arrange that just now. Try again, or do the check next time."
