<?php

declare(strict_types=1);

namespace Tollgate;

/** The visitor passed, for exactly this intent, action and hostname, and one unit was charged. */
final class Decision
{
    /**
     * @param string $decisionId for your records, `feedback` and `createGrant`
     * @param true $success
     * @param 'passed' $assessment
     */
    public function __construct(
        public readonly string $intentId,
        public readonly string $action,
        public readonly string $hostname,
        public readonly string $decisionId,
        public readonly bool $success = true,
        public readonly string $assessment = 'passed',
    ) {
    }
}
