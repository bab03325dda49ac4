<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Keys;

/** Keyed hashes of sessions and subjects, which show only whether two are the same. */
final class Hash
{
    private const SHORTEST_KEY = 16;

    /**
     * HMAC-SHA-256 of the visitor's session id, 64 hex digits, for `session`.
     *
     * @param string|false|null $key your own, at least 16 bytes, the same for the lifetime of sessions and grants
     * @param string|false $sessionId the id in your session store, such as `session_id()`
     * @throws \InvalidArgumentException the key is too short or a Tollgate secret, or the value is empty or not UTF-8
     */
    public static function hashSession(#[\SensitiveParameter] mixed $key, #[\SensitiveParameter] mixed $sessionId): string
    {
        return self::hash($key, 'session:', $sessionId);
    }

    /**
     * HMAC-SHA-256 of the target of the action, 64 hex digits, for `subject`. Normalise the value first: for example, trim and
     * lower-case an e-mail address.
     *
     * @param string|false|null $key your own, at least 16 bytes
     * @param string $subject an account's id, an e-mail address, a card's fingerprint
     * @throws \InvalidArgumentException the key is too short or a Tollgate secret, or the value is empty or not UTF-8
     */
    public static function hashSubject(#[\SensitiveParameter] mixed $key, #[\SensitiveParameter] mixed $subject): string
    {
        return self::hash($key, 'subject:', $subject);
    }

    private static function hash(#[\SensitiveParameter] mixed $key, string $purpose, #[\SensitiveParameter] mixed $value): string
    {
        if (!is_string($key) || strlen($key) < self::SHORTEST_KEY) {
            throw new \InvalidArgumentException('tollgate: the key must be a string of at least 16 bytes, and yours alone');
        }
        if (preg_match(Keys::SECRET, $key) === 1) {
            throw new \InvalidArgumentException(
                'tollgate: the key must not be a Tollgate secret: those rotate, and every hash would change',
            );
        }
        if (!is_string($value) || $value === '') {
            throw new \InvalidArgumentException('tollgate: there is nothing to hash: pass a string that is not empty');
        }
        if (preg_match('//u', $value) !== 1) {
            throw new \InvalidArgumentException('tollgate: the text to hash is not UTF-8');
        }
        return hash_hmac('sha256', $purpose . $value, $key);
    }
}
