<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Clock;
use Tollgate\Internal\Grammar;

/** Verifies the requests of webhooks, by the Standard Webhooks specification. */
final class Webhook
{
    /** Seconds that the clocks of sender and receiver may differ, and a request may be late. */
    private const TOLERANCE = 300;

    /**
     * Verifies the request of a webhook and returns its event, which can arrive again with the same `webhook-id`.
     *
     * @param array<string, string|list<string>> $headers of the request, with names in any case, such as `getallheaders()`
     * @param string $body as it arrived, not parsed: `file_get_contents('php://input')`
     * @param string|false|null $secret `whsec_…`, shown when the webhook was created
     * @param ?Clock $clock for tests of this class
     * @return array<mixed>
     * @throws WebhookError no signature matches, or the timestamp is more than five minutes away
     * @throws \InvalidArgumentException the secret is malformed
     */
    public static function verifyWebhook(
        array $headers,
        string $body,
        #[\SensitiveParameter] mixed $secret,
        ?Clock $clock = null,
    ): array {
        $encoded = is_string($secret) && str_starts_with($secret, 'whsec_') ? substr($secret, 6) : '';
        $key = Grammar::matchText('(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?', $encoded) === null
            ? ''
            : (string) base64_decode($encoded, true);
        if ($key === '') {
            throw new \InvalidArgumentException('tollgate: the secret of a webhook begins with whsec_ and is base64');
        }
        $given = array_change_key_case($headers);
        // frameworks list the values of each header
        [$event, $timestamp, $signatures] = array_map(static function (string $name) use ($given): string {
            $value = $given["webhook-$name"] ?? '';
            return is_array($value) ? $value[0] ?? '' : $value;
        }, ['id', 'timestamp', 'signature']);
        if ($event === '' || $timestamp === '' || $signatures === '') {
            throw new WebhookError('tollgate: a header of the webhook is missing');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$event.$timestamp.$body", $key, true));
        $matches = array_map(static fn (string $each): bool => hash_equals($expected, $each), explode(' ', $signatures));
        if (!in_array(true, $matches, true)) {
            throw new WebhookError('tollgate: no signature of the webhook matches');
        }
        $now = ($clock ?? new Clock())->time();
        if (Grammar::matchText('[0-9]{1,12}', $timestamp) === null || abs($now - (int) $timestamp) > self::TOLERANCE) {
            throw new WebhookError('tollgate: the timestamp of the webhook is more than five minutes away');
        }
        $parsed = json_decode($body, true);
        return is_array($parsed) ? $parsed : throw new WebhookError('tollgate: the body of the webhook is no JSON object');
    }
}
