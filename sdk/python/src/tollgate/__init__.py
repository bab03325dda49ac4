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
from .errors import InvalidError, MisconfiguredError, RefusedError, TollgateError, UnavailableError
from .grammars import is_response_token
from .hashing import hash_session, hash_subject
from .render import Html, render_script, render_widget
from .test_keys import TEST_KEYS, SiteKeys
from .version import VERSION as __version__
from .webhooks import WebhookError, verify_webhook

__all__ = [
    "TEST_KEYS",
    "AsyncTollgate",
    "Decision",
    "FeedbackReceipt",
    "Grant",
    "Html",
    "Intent",
    "InvalidError",
    "MisconfiguredError",
    "RefusedError",
    "Revocation",
    "SiteKeys",
    "Tollgate",
    "TollgateError",
    "UnavailableError",
    "WebhookError",
    "__version__",
    "create_event_id",
    "create_idempotency_key",
    "create_nonce",
    "hash_session",
    "hash_subject",
    "is_response_token",
    "render_script",
    "render_widget",
    "verify_webhook",
]
