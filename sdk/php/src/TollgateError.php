<?php

declare(strict_types=1);

namespace Tollgate;

/** The call failed, or its result is unknown: never a pass. Thrown itself only for a code that is newer than this version. */
class TollgateError extends \RuntimeException
{
    /**
     * @param string $errorCode the service's code, or `unreachable` or `unexpected-answer`. PHP keeps the name `code` for numbers
     * @param ?int $status HTTP status; null if no answer came, or nothing was sent because a value breaks a rule
     * @param ?string $field name of the offending field on the wire, with `bad-request`
     * @param ?string $requestId the answer's X-Request-Id, for searching in the console and for support
     * @param ?int $retryAfter seconds that the service asked to wait
     * @param bool $retryable whether the same call with the same values may succeed a moment later; it was already repeated
     * @param ?string $latestEventId with `supersede-required` and `supersede-stale`: the decision's latest event, for
     *     `supersedesEventId` of a new event if the report is still needed; null if the decision has no feedback
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode = '',
        public readonly ?int $status = null,
        public readonly ?string $field = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
        public readonly bool $retryable = false,
        public readonly ?string $latestEventId = null,
    ) {
        parent::__construct($message);
    }
}
