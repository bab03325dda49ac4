<?php

declare(strict_types=1);

namespace Tollgate;

/** The result of `revokeGrant`. */
final class Revocation
{
    /** @param int $revoked grants revoked by this call; 0 when it is repeated */
    public function __construct(public readonly int $revoked)
    {
    }
}
