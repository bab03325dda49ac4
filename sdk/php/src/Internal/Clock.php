<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * Clock and waits, which tests replace.
 *
 * @internal
 */
class Clock
{
    /** Seconds of a monotonic clock. */
    public function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Unix seconds. */
    public function time(): int
    {
        return time();
    }

    public function sleep(float $seconds): void
    {
        usleep(max(0, (int) ceil($seconds * 1e6)));
    }
}
