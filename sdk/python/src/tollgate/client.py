"""The client for synchronous code: Django, Flask, scripts, workers."""

from datetime import datetime
from time import sleep
from typing import Optional, TypeVar, Union

from .answers import Decision, FeedbackReceipt, Grant, Intent, Revocation
from .calls import Call, feedback_call, grant_call, intent_call, revoke_call, verify_call
from .errors import TollgateError
from .judge import judge
from .options import Client
from .retry import Schedule
from .transport import send

T = TypeVar("T")


class Tollgate(Client):
    """A client for one site. Create one when the program starts and share it, also between threads and forked workers.

    Every method repeats its call with the same bytes if that is safe and useful: without an answer, after 429 and 503, and
    after errors of proxies. It checks that the answer belongs to the call. It returns, or raises a
    ``TollgateError``; only a return is a pass.

    Args:
        url: the service's address, which may have a path, such as ``https://tollgate.example``
        sitekey: the site's public key, ``tg_site_…``
        secret: the site's secret key, ``tg_secret_…``; it leaves this object in the Authorization header only
        timeout: seconds that one try may take, connecting and reading included
        deadline: seconds that a call may take with all its tries and waits
        allow_insecure: allow ``http:`` to hosts other than this machine

    Raises:
        ValueError: an option is unusable; the message says which and what to do
    """

    __slots__ = ()

    def create_intent(
        self,
        *,
        action: str,
        nonce: str,
        hostname: str,
        session: Optional[str] = None,
        subject: Optional[str] = None,
        trusted_grant_id: Optional[str] = None,
    ) -> Intent:
        """Opens an intent for one form. The same nonce with the same fields gives the same intent.

        Args:
            action: what the visitor is about to do, in your own words: ``checkout``, ``signup``
            nonce: from ``create_nonce()``, stored with the attempt before this call
            hostname: the hostname of the page with the form: no scheme, no port, lower case, Punycode
            session: ``hash_session`` of the visitor's session; a grant belongs to the session of its intent
            subject: ``hash_subject`` of the target of the action: account, e-mail address, card
            trusted_grant_id: a grant, to skip the challenge; pass its session too, or none for a grant without one

        Raises:
            UnavailableError: offer "try again"; with ``quota-exceeded`` no form could be submitted: alert yourself
            RefusedError: open the intent without the grant, with a new nonce
            MisconfiguredError, InvalidError: alert yourself
        """
        return self._perform(
            intent_call(
                self._options.keys.sitekey,
                action=action,
                nonce=nonce,
                hostname=hostname,
                session=session,
                subject=subject,
                trusted_grant_id=trusted_grant_id,
            )
        )

    def verify(
        self, *, response: Optional[str], intent_id: str, action: str, hostname: str, idempotency_key: str
    ) -> Decision:
        """Redeems the visitor's token: the visitor passed, and one unit is charged, however often this is repeated.

        Args:
            response: the form's field ``svc-captcha-response``, frozen at the first submission
            intent_id: as stored with the attempt, never from a form field; likewise the next two
            action: the intent's
            hostname: the intent's
            idempotency_key: from ``create_idempotency_key()``, stored with the attempt

        Raises:
            RefusedError: not verified: show a fresh form. With ``already-redeemed``, your own record may have the result
            UnavailableError: offer "try again" for the same attempt: nothing is charged twice
            MisconfiguredError, InvalidError: alert yourself
        """
        return self._perform(
            verify_call(
                response=response,
                intent_id=intent_id,
                action=action,
                hostname=hostname,
                idempotency_key=idempotency_key,
            )
        )

    def feedback(
        self,
        *,
        decision_id: str,
        event_id: str,
        outcome: str,
        business_type: str,
        occurred_at: Union[int, float, datetime],
        supersedes_event_id: Optional[str] = None,
    ) -> FeedbackReceipt:
        """Reports the outcome of a decision, within seven days, or corrects the latest report.

        Args:
            decision_id: the decision's
            event_id: from ``create_event_id()``, stored before this call
            outcome: ``confirmed_abuse``, ``legitimate`` or ``unknown``
            business_type: your name for the source of the information: ``chargeback``, ``manual_review``
            occurred_at: whole Unix seconds, or a datetime with a time zone; not before the redemption, not after now
            supersedes_event_id: the decision's latest event, which this one corrects: ``latest_event_id`` of the last
                receipt or of the error below

        Raises:
            RefusedError: ``feedback-closed`` after seven days; ``supersede-required`` or ``supersede-stale`` if another event
                came first, such as a correction in the console: ``latest_event_id`` is the event to supersede
            TollgateError: any other
        """
        return self._perform(
            feedback_call(
                decision_id=decision_id,
                event_id=event_id,
                outcome=outcome,
                business_type=business_type,
                occurred_at=occurred_at,
                supersedes_event_id=supersedes_event_id,
            )
        )

    def create_grant(
        self,
        *,
        decision_id: str,
        session: Optional[str] = None,
        ttl: Optional[int] = None,
        uses: Optional[int] = None,
    ) -> Grant:
        """Lets the next intents skip the challenge. The same request again gives the same grant.

        Args:
            decision_id: redeemed at most ten minutes ago. Either its own challenge was solved, or it was exempt and its
                intent has a session: then the grant is renewed, for 24 hours after the session's last solved challenge,
                or less if the site says so
            session: of the decision's intent; the grant belongs to it whether it is sent or not
            ttl: seconds, 60 to 3600; the service's default is 900
            uses: intents that it opens, 1 to 10; the service's default is 1

        Raises:
            RefusedError: continue without a grant
            TollgateError: any other
        """
        return self._perform(grant_call(decision_id=decision_id, session=session, ttl=ttl, uses=uses))

    def revoke_grant(self, *, grant_id: Optional[str] = None, session: Optional[str] = None) -> Revocation:
        """Revokes one grant, or all of a session, for example at log-out. Pass exactly one of the two.

        Raises:
            TollgateError: the grants may still be valid
        """
        return self._perform(revoke_call(grant_id=grant_id, session=session))

    def _perform(self, call: Call[T]) -> T:
        address, keys, timeout, deadline = self._options
        schedule = Schedule(timeout, deadline)
        while True:
            # no variable for the reply: error reporters show those of this frame, and a reply may repeat the secret
            outcome = judge(call, schedule.note(send(address, keys, call.path, call.body, schedule.time_of_try())))
            if not isinstance(outcome, TollgateError):
                return outcome
            wait = schedule.wait_after(outcome)
            if wait is None:
                raise outcome
            sleep(wait)
