"""Tollgate for Python backends: open intents, verify tokens, report outcomes, issue grants.

from tollgate import Tollgate, create_nonce

tollgate = Tollgate(url="https://tollgate.example", sitekey="tg_site_…", secret=os.environ["TOLLGATE_SECRET"])
intent = tollgate.create_intent(action="signup", nonce=nonce, hostname="shop.example")
decision = tollgate.verify(response=token, intent_id=…, action=…, hostname=…, idempotency_key=…)
"""

from .answers import Decision, FeedbackReceipt, Grant, Intent, Revocation
from .async_client import AsyncTollgate
from .client import Tollgate
from .draw import create_event_id, create_idempotency_key, create_nonce
from .errors import (
    AlreadyRedeemedError,
    BadRequestError,
    BindingMismatchError,
    EventConflictError,
    FeedbackClosedError,
    GrantExistsError,
    GrantInvalidError,
    GrantsDisabledError,
    IdempotencyConflictError,
    IntentExpiredError,
    InternalError,
    MethodNotAllowedError,
    NonceConflictError,
    NotFoundError,
    PayloadTooLargeError,
    QuotaExceededError,
    RateLimitedError,
    ResponseInvalidError,
    SecretInBodyError,
    SiteDisabledError,
    SupersedeRequiredError,
    SupersedeStaleError,
    TollgateError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedAnswerError,
    UnreachableError,
    UnsupportedMediaTypeError,
)
from .grammars import is_response_token
from .hashing import hash_session, hash_subject
from .render import Html, render_script, render_widget
from .test_keys import TEST_KEYS, SiteKeys
from .version import VERSION as __version__

__all__ = [
    "TEST_KEYS",
    "AlreadyRedeemedError",
    "AsyncTollgate",
    "BadRequestError",
    "BindingMismatchError",
    "Decision",
    "EventConflictError",
    "FeedbackClosedError",
    "FeedbackReceipt",
    "Grant",
    "GrantExistsError",
    "GrantInvalidError",
    "GrantsDisabledError",
    "Html",
    "IdempotencyConflictError",
    "Intent",
    "IntentExpiredError",
    "InternalError",
    "MethodNotAllowedError",
    "NonceConflictError",
    "NotFoundError",
    "PayloadTooLargeError",
    "QuotaExceededError",
    "RateLimitedError",
    "ResponseInvalidError",
    "Revocation",
    "SecretInBodyError",
    "SiteDisabledError",
    "SiteKeys",
    "SupersedeRequiredError",
    "SupersedeStaleError",
    "Tollgate",
    "TollgateError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnreachableError",
    "UnsupportedMediaTypeError",
    "__version__",
    "create_event_id",
    "create_idempotency_key",
    "create_nonce",
    "hash_session",
    "hash_subject",
    "is_response_token",
    "render_script",
    "render_widget",
]
