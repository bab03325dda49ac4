"""The client for asyncio: FastAPI, Starlette, aiohttp, Quart."""

import asyncio
from asyncio import sleep
from datetime import datetime
from typing import Optional, TypeVar, Union

from .answers import Decision, FeedbackReceipt, Grant, Intent, Revocation
from .calls import Call, feedback_call, grant_call, intent_call, revoke_call, verify_call
from .errors import TollgateError
from .judge import judge
from .options import Client
from .retry import Schedule
from .transport import NoReply, Reply, place_of, send

T = TypeVar("T")


class AsyncTollgate(Client):
    """``Tollgate`` for asyncio: the same options, methods, values and errors, as coroutines.

    Each try runs in a thread of the loop's default executor; the waits between tries are the loop's. A cancelled
    method ends immediately; a running try ends within its timeout and may have been carried out:
    repeat the same call to find out.
    """

    __slots__ = ()

    async def create_intent(
        self,
        *,
        action: str,
        nonce: str,
        hostname: str,
        session: Optional[str] = None,
        subject: Optional[str] = None,
        trusted_grant_id: Optional[str] = None,
    ) -> Intent:
        """See ``Tollgate.create_intent``."""
        return await self._perform(
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

    async def verify(
        self, *, response: Optional[str], intent_id: str, action: str, hostname: str, idempotency_key: str
    ) -> Decision:
        """See ``Tollgate.verify``."""
        return await self._perform(
            verify_call(
                response=response,
                intent_id=intent_id,
                action=action,
                hostname=hostname,
                idempotency_key=idempotency_key,
            )
        )

    async def feedback(
        self,
        *,
        decision_id: str,
        event_id: str,
        outcome: str,
        business_type: str,
        occurred_at: Union[int, float, datetime],
        supersedes_event_id: Optional[str] = None,
    ) -> FeedbackReceipt:
        """See ``Tollgate.feedback``."""
        return await self._perform(
            feedback_call(
                decision_id=decision_id,
                event_id=event_id,
                outcome=outcome,
                business_type=business_type,
                occurred_at=occurred_at,
                supersedes_event_id=supersedes_event_id,
            )
        )

    async def create_grant(
        self,
        *,
        decision_id: str,
        session: Optional[str] = None,
        ttl: Optional[int] = None,
        uses: Optional[int] = None,
    ) -> Grant:
        """See ``Tollgate.create_grant``."""
        return await self._perform(grant_call(decision_id=decision_id, session=session, ttl=ttl, uses=uses))

    async def revoke_grant(self, *, grant_id: Optional[str] = None, session: Optional[str] = None) -> Revocation:
        """See ``Tollgate.revoke_grant``."""
        return await self._perform(revoke_call(grant_id=grant_id, session=session))

    async def _perform(self, call: Call[T]) -> T:
        schedule = Schedule(self._options.timeout, self._options.deadline)
        while True:
            outcome = judge(call, schedule.note(await self._send(call, schedule.time_of_try())))
            if not isinstance(outcome, TollgateError):
                return outcome
            wait = schedule.wait_after(outcome)
            if wait is None:
                raise outcome
            await sleep(wait)

    async def _send(self, call: "Call[T]", seconds: float) -> Union[Reply, NoReply]:
        address, keys, _, _ = self._options
        trying = asyncio.to_thread(send, address, keys, call.path, call.body, seconds)
        try:
            # the thread limits its time, except for name resolution and for waiting while all threads are busy
            return await asyncio.wait_for(trying, seconds)
        except asyncio.TimeoutError:
            return NoReply(f"{place_of(address)}, no answer within {seconds:.3g} s")
