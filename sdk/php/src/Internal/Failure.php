<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\Messages;
use Tollgate\RefusedError;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;

/**
 * Makes the errors.
 *
 * @internal
 */
final class Failure
{
    /**
     * The error of this code, in its class.
     *
     * @param ?string $reason additional details, in a few words
     * @param ?string $says a more specific sentence than that of the code, without its full stop
     */
    public static function create(
        string $code,
        ?int $status = null,
        ?string $field = null,
        ?string $requestId = null,
        ?int $retryAfter = null,
        bool $retryable = false,
        ?string $latestEventId = null,
        ?string $reason = null,
        ?string $says = null,
    ): TollgateError {
        $says ??= Messages::ERRORS[$code]['says'] ?? 'The service refused in a way that this version does not know';
        $facts = array_filter([
            $code,
            $field === null ? null : "field $field",
            $status === null ? null : "status $status",
            $reason,
            $requestId,
        ]);
        $class = $retryable ? UnavailableError::class : self::classOf($code, $field);
        $message = "$says. (" . implode(', ', $facts) . ')';
        return new $class($message, $code, $status, $field, $requestId, $retryAfter, $retryable, $latestEventId);
    }

    /** @return class-string<TollgateError> */
    private static function classOf(string $code, ?string $field): string
    {
        // a response is the visitor's value, so a malformed one is no mistake of the program
        if ($code === 'bad-request' && $field === 'response') {
            return RefusedError::class;
        }
        return Messages::ERRORS[$code]['class'] ?? TollgateError::class;
    }
}
