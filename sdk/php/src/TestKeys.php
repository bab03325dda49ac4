<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Keys;

/**
 * The published test keys: in every deployment that has not turned them off, never billed, valid for any hostname. Their secrets
 * are public: never use them in production.
 */
final class TestKeys
{
    /**
     * By behaviour: `pass` the real flow with trivial work, `hard` with seconds of it; `fail` at `/solve`; `spent`, `expired`,
     * `quota` and `down` at `/siteverify`; `limit` at `/intents`.
     */
    public const NAMES = ['pass', 'hard', 'fail', 'spent', 'expired', 'quota', 'limit', 'down'];

    /**
     * The arguments for `new Tollgate($url, ...TestKeys::get('pass'))`.
     *
     * @param string $name one of the names
     * @return array{sitekey: string, secret: string}
     */
    public static function get(string $name): array
    {
        if (!in_array($name, self::NAMES, true)) {
            throw new \InvalidArgumentException('tollgate: the test keys are ' . implode(', ', self::NAMES));
        }
        $body = 'tg_secret_' . str_pad("TEST$name", 43, '0');
        return ['sitekey' => 'tg_site_' . str_pad("TEST$name", 20, '0'), 'secret' => $body . Keys::checksum($body)];
    }
}
