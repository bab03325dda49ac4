<?php

declare(strict_types=1);

namespace Tollgate;

/** A grant to skip the challenge. */
final class Grant
{
    /**
     * @param string $grantId for `trustedGrantId`. Keep it on the server: without a session, its id is sufficient to use it
     * @param int $expiresAt Unix seconds
     * @param int $uses how many intents it opens; the site may have capped it
     */
    public function __construct(
        public readonly string $grantId,
        public readonly int $expiresAt,
        public readonly int $uses,
    ) {
    }
}
