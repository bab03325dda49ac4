<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\TollgateError;

/**
 * The tries of one call, from its start to its deadline: when it is repeated, and for how long. Times in seconds.
 *
 * @internal
 */
final class Schedule
{
    /** The wait after the first try, doubled after each further one. */
    private const FIRST_WAIT = 0.2;

    /** Random delay in milliseconds, so that many backends do not retry at the same time. */
    private const JITTER_MS = 100;

    /** A try does not begin with less than this part of the deadline: it would find no answer, and hide the one before. */
    private const LEAST_LEFT = 0.1;

    private readonly float $end;
    private readonly float $lastStart;
    private float $wait = self::FIRST_WAIT;
    private bool $arrived = false;

    public function __construct(private readonly Clock $clock, private readonly float $timeout, float $deadline)
    {
        $this->end = $clock->now() + $deadline;
        $this->lastStart = $this->end - $deadline * self::LEAST_LEFT;
    }

    /** Seconds that a try starting now may take. */
    public function timeOfTry(): float
    {
        return max(0.001, min($this->timeout, $this->end - $this->clock->now()));
    }

    /** The result of a try. That it sent nothing is left out once the service may have received an earlier one. */
    public function note(Reply|NoReply $reply): Reply|NoReply
    {
        if ($reply instanceof NoReply && $this->arrived) {
            return new NoReply($reply->reason);
        }
        $this->arrived = !($reply instanceof NoReply && $reply->nothingSent !== null);
        return $reply;
    }

    /** Seconds to wait before the next try; null if there is none and the error must be thrown. */
    public function waitAfter(TollgateError $error): ?float
    {
        if (!$error->retryable) {
            return null;
        }
        $wait = max($this->wait, $error->retryAfter ?? 0) + random_int(0, self::JITTER_MS) / 1000;
        $this->wait *= 2;
        return $this->clock->now() + $wait < $this->lastStart ? $wait : null;
    }
}
