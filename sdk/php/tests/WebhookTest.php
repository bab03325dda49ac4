<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Internal\Clock;
use Tollgate\Webhook;
use Tollgate\WebhookError;

/** Verifying the requests of webhooks. */
final class WebhookTest extends VectorCase
{
    public function testWhatTheServiceSignedIsAccepted(): void
    {
        foreach (self::vectors('webhooks')['accept'] as $case) {
            self::assertSame(json_decode($case['body'], true), self::verify($case, $case['headers']), $case['name']);
            $lists = array_map(static fn (string $value): array => [$value], $case['headers']);
            self::assertSame(json_decode($case['body'], true), self::verify($case, $lists));
        }
    }

    public function testAnythingElseIsRefused(): void
    {
        foreach (self::vectors('webhooks')['refuse'] as $case) {
            try {
                self::verify($case, $case['headers']);
                self::fail("it was accepted: $case[name]");
            } catch (WebhookError $error) {
                self::assertStringStartsWith('tollgate: ', $error->getMessage());
            }
        }
    }

    public function testAMalformedSecretIsRefusedWithoutBeingQuoted(): void
    {
        ['accept' => [$case], 'secrets' => $secrets] = self::vectors('webhooks');
        foreach ($secrets as $secret) {
            try {
                Webhook::verifyWebhook($case['headers'], $case['body'], $secret['secret']);
                self::fail("it was accepted: $secret[name]");
            } catch (\InvalidArgumentException $error) {
                self::assertStringNotContainsString('MfKQ9r8', $error->getMessage());
            }
        }
    }

    private static function verify(array $case, array $headers): array
    {
        $vectors = self::vectors('webhooks');
        $clock = new class ($case['now'] ?? $vectors['now']) extends Clock {
            public function __construct(private readonly int $now)
            {
            }

            public function time(): int
            {
                return $this->now;
            }
        };
        return Webhook::verifyWebhook($headers, $case['body'], $vectors['secret'], $clock);
    }
}
