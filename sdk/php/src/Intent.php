<?php

declare(strict_types=1);

namespace Tollgate;

/** An intent: what one visitor may do once on one page. */
final class Intent
{
    /** @param int $expiresAt Unix seconds: 300 after its creation */
    public function __construct(
        public readonly string $intentId,
        public readonly string $sitekey,
        public readonly string $action,
        public readonly string $hostname,
        public readonly int $expiresAt,
    ) {
    }
}
