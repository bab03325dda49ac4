<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * The grammars of the wire: ASCII only, whole strings, nothing coerced.
 *
 * @internal
 */
final class Grammar
{
    /** The largest integer that every JSON reader keeps exact. */
    public const MAX_SAFE_INTEGER = 2 ** 53 - 1;

    private const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

    private const TEXTS = [
        'name' => '[A-Za-z0-9_-]{1,64}',
        'key' => '[A-Za-z0-9_-]{16,128}',
        'hmac' => '[0-9a-f]{64}',
        'uuid' => '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',
        'hostname' => '(?=.{1,253}\z)' . self::LABEL . '(?:\.' . self::LABEL . ')*',
        'sitekey' => 'tg_site_[0-9A-Za-z]{20}',
        'secret' => 'tg_secret_[0-9A-Za-z]{49}',
        'decision' => 'dec_[A-Za-z0-9_-]{1,60}',
        'token' => 'tgr_[A-Za-z0-9_-]{1,508}',
        'outcome' => 'confirmed_abuse|legitimate|unknown',
    ];

    private const NUMBERS = [
        'seconds' => [0, self::MAX_SAFE_INTEGER],
        'ttl' => [60, 3600],
        'uses' => [1, 10],
    ];

    /** @param key-of<self::TEXTS>|key-of<self::NUMBERS> $grammar */
    public static function matches(string $grammar, #[\SensitiveParameter] mixed $value): bool
    {
        return match ($grammar) {
            'seconds', 'ttl', 'uses' => self::readWhole($value, ...self::NUMBERS[$grammar]) !== null,
            default => self::matchText(self::TEXTS[$grammar], $value) !== null,
        };
    }

    /** The value if it is text that the whole pattern matches. */
    public static function matchText(string $pattern, #[\SensitiveParameter] mixed $value): ?string
    {
        return is_string($value) && preg_match("~\\A(?:$pattern)\\z~", $value) === 1 ? $value : null;
    }

    /** The value as an integer if it is one within these bounds: `900.0` is, as on the wire; `true` is not. */
    public static function readWhole(mixed $value, int $lowest, int $highest = self::MAX_SAFE_INTEGER): ?int
    {
        if (!is_int($value) && !is_float($value) || !($value >= $lowest && $value <= $highest)) {
            return null;
        }
        return (float) (int) $value === (float) $value ? (int) $value : null;
    }
}
