"""When a call is repeated, and for how long: the schedule of one call."""

import random
from time import monotonic
from typing import Optional, Union

from .errors import TollgateError
from .transport import NoReply, Reply

#: Seconds: the wait after the first try, doubled after each further one.
_FIRST_WAIT = 0.2
#: Seconds: random delay, so that many backends do not retry at the same time.
_JITTER = 0.1
#: A try does not begin with less than this part of the deadline: it would find no answer, and hide the one before.
_LEAST_LEFT = 0.1


class Schedule:
    """The tries of one call, from its start to its deadline."""

    def __init__(self, timeout: float, deadline: float) -> None:
        self._timeout = timeout
        self._end = monotonic() + deadline
        self._last_start = self._end - deadline * _LEAST_LEFT
        self._wait = _FIRST_WAIT
        self._arrived = False

    def time_of_try(self) -> float:
        """Seconds that a try starting now may take."""
        return max(0.0, min(self._timeout, self._end - monotonic()))

    def note(self, reply: Union[Reply, NoReply]) -> Union[Reply, NoReply]:
        """The result of a try. That it sent nothing is left out once the service may have received an earlier one."""
        if isinstance(reply, NoReply) and self._arrived:
            return NoReply(reply.reason)
        self._arrived = not (isinstance(reply, NoReply) and reply.nothing_sent)
        return reply

    def wait_after(self, error: TollgateError) -> Optional[float]:
        """Seconds to wait before the next try; None if there is none and the error must be raised."""
        if not error.retryable:
            return None
        wait = max(self._wait, error.retry_after or 0) + random.uniform(0, _JITTER)
        self._wait *= 2
        return wait if monotonic() + wait < self._last_start else None
