<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Grammar;

/** For tests of your backend: a token without a browser. */
final class Testing
{
    private const TIMEOUT = 10;

    /**
     * Does what the component does in a browser: requests the challenge of the intent, solves it, and returns the token, which
     * `verify` takes as `response`. For test keys only.
     *
     * @param string $url the service's address
     * @param Intent $intent as `createIntent` returned it
     * @throws \InvalidArgumentException the intent is not of a test key's site
     * @throws \RuntimeException the service refused, as with the test key `fail`, or cannot be reached; the message says which
     */
    public static function solve(string $url, Intent $intent): string
    {
        $sites = array_map(static fn (string $name): string => TestKeys::get($name)['sitekey'], TestKeys::NAMES);
        if (!in_array($intent->sitekey, $sites, true)) {
            throw new \InvalidArgumentException('Tollgate: solve() is for test keys only');
        }
        $url = rtrim($url, '/');
        $fields = ['sitekey' => $intent->sitekey, 'intent_id' => $intent->intentId];
        $puzzle = self::post("$url/challenge", $intent, [...$fields, 'kinds' => ['pow-sha256']]);
        if (($puzzle['kind'] ?? null) === 'none') {
            return self::text($puzzle, 'response');
        }
        $solved = [...$fields, 'challenge' => self::text($puzzle, 'challenge'), 'solution' => self::findSolution($puzzle)];
        return self::text(self::post("$url/solve", $intent, $solved), 'response');
    }

    /** @param array<mixed> $puzzle */
    private static function findSolution(array $puzzle): string
    {
        ['seed' => $seed, 'count' => $count, 'target' => $target] = $puzzle + ['seed' => '', 'count' => 0, 'target' => 0];
        if (!is_string($seed) || !is_int($count) || !is_int($target)) {
            throw new \RuntimeException('Tollgate: this version cannot solve the challenge of the service');
        }
        $nonces = '';
        for ($index = 0; $index < $count; $index++) {
            $nonces .= self::work(hex2bin($seed) . pack('N', $index), $target);
        }
        return rtrim(strtr(base64_encode($nonces), '+/', '-_'), '=');
    }

    private static function work(string $start, int $target): string
    {
        for ($number = 0; ; $number++) {
            $nonce = pack('N', $number);
            $hash = unpack('N', hash('sha256', $start . $nonce, true));
            if ($hash !== false && $hash[1] < $target) {
                return $nonce;
            }
        }
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<mixed>
     */
    private static function post(string $url, Intent $intent, array $fields): array
    {
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => ['Content-Type: application/json', "Origin: https://$intent->hostname"],
            'content' => json_encode($fields, JSON_THROW_ON_ERROR),
            'follow_location' => 0,
            'ignore_errors' => true,
            'timeout' => self::TIMEOUT,
        ]]));
        if ($stream === false) {
            throw new \RuntimeException("Tollgate: $url cannot be reached");
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? null;
        $first = is_array($lines) ? $lines[0] ?? '' : '';
        $status = is_string($first) ? explode(' ', $first)[1] ?? '' : '';
        $said = (string) stream_get_contents($stream, 64 * 1024);
        $answer = json_decode($said, true);
        if ($status !== '200') {
            throw new \RuntimeException(trim("Tollgate: $url answered $status $said. " . self::explain($answer)));
        }
        if (!is_array($answer) || !isset($answer['challenge']) && !isset($answer['response'])) {
            throw new \RuntimeException("Tollgate: the answer of $url is not the service's: check the address and the proxies");
        }
        return $answer;
    }

    /** What happened and what to do, by the code of the answer. */
    private static function explain(mixed $answer): string
    {
        $code = Grammar::matchText('[a-z-]+', is_array($answer) ? $answer['error'] ?? null : null) ?? '';
        $says = Messages::COMPONENT[$code] ?? Messages::ERRORS[$code]['says'] ?? '';
        return $says === '' ? '' : "$says.";
    }

    /** @param array<mixed> $answer */
    private static function text(array $answer, string $field): string
    {
        $value = $answer[$field] ?? null;
        return is_string($value) ? $value : throw new \RuntimeException("Tollgate: the answer has no $field");
    }
}
