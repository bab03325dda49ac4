<?php

declare(strict_types=1);

namespace Tollgate;

/** The random values of a call: create each once, store it, then send it. */
final class Random
{
    /** A nonce for one form, for `createIntent`: 256 random bits in 43 URL-safe characters. */
    public static function createNonce(): string
    {
        return rtrim(strtr(base64_encode(random_bytes(32)), '+/', '-_'), '=');
    }

    /** An idempotency key for one redemption, for `verify`: 256 random bits in 43 URL-safe characters. */
    public static function createIdempotencyKey(): string
    {
        return self::createNonce();
    }

    /** An event id for one report, for `feedback`: a random UUID. */
    public static function createEventId(): string
    {
        $bytes = random_bytes(16);
        // version 4, variant 1 (RFC 9562)
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
