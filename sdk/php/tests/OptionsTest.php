<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Hash;
use Tollgate\Html;
use Tollgate\Internal\Address;
use Tollgate\Random;
use Tollgate\TestKeys;
use Tollgate\Tollgate;

/** The options of a client, and the helpers. */
final class OptionsTest extends VectorCase
{
    private const URL = 'https://tollgate.example';

    public function refusedKeys(): iterable
    {
        return self::named(self::vectors('secrets')['refuse']);
    }

    /** @dataProvider refusedKeys */
    public function testInvalidKeys(array $case): void
    {
        $message = $this->refusal(fn () => new Tollgate(self::URL, $case['sitekey'], $case['secret']));
        self::assertStringContainsStringIgnoringCase($case['says'], $message);
        foreach ([$case['sitekey'], $case['secret']] as $value) {
            if (is_string($value) && str_contains($value, 'tg_secret_')) {
                self::assertStringNotContainsString(substr($value, 10, 20), $message);
            }
        }
    }

    public function testValidKeys(): void
    {
        foreach (self::vectors('secrets')['accept'] as $case) {
            self::assertIsObject(new Tollgate(self::URL, $case['sitekey'], $case['secret']));
        }
    }

    public function testTheAddress(): void
    {
        $urls = self::vectors('urls');
        foreach ($urls['accept'] as $case) {
            self::assertIsObject(new Tollgate($case['url'], ...TestKeys::get('pass')));
            self::assertSame($case['base'], Address::read($case['url'])->base);
        }
        foreach ($urls['insecure'] as $url) {
            $message = $this->refusal(fn () => new Tollgate($url, ...TestKeys::get('pass')));
            self::assertStringContainsString('allowInsecure: true', $message);
            self::assertIsObject(new Tollgate($url, ...TestKeys::get('pass'), allowInsecure: true));
        }
        foreach ([...$urls['refuse'], false] as $url) {
            $message = $this->refusal(fn () => new Tollgate($url, ...TestKeys::get('pass')));
            self::assertStringContainsString('url', $message);
        }
    }

    public function testTimesAreNumbersOfSecondsAboveZero(): void
    {
        foreach (['timeout', 'deadline'] as $name) {
            foreach ([0, -1, true, null, '5', NAN, INF] as $value) {
                $message = $this->refusal(fn () => new Tollgate(self::URL, ...TestKeys::get('pass'), ...[$name => $value]));
                self::assertStringContainsString($name, $message);
            }
        }
    }

    public function testTheTestKeysAreThoseOfTheContract(): void
    {
        $keys = array_combine(TestKeys::NAMES, array_map(TestKeys::get(...), TestKeys::NAMES));
        self::assertSame(self::vectors('testKeys'), $keys);
        self::assertStringContainsString('pass, hard', $this->refusal(fn () => TestKeys::get('other')));
    }

    public function testEqualValuesHaveEqualHashesInEveryLanguage(): void
    {
        foreach (self::vectors('hashes')['accept'] as $case) {
            $hash = [Hash::class, 'hash' . ucfirst($case['kind'])];
            self::assertSame($case['hash'], $hash($case['key'] ?? hex2bin($case['key_hex']), $case['value']));
        }
    }

    public function testWeakKeysAndEmptyValuesAreRefusedWithoutBeingQuoted(): void
    {
        foreach (self::vectors('hashes')['refuse'] as $case) {
            // in PHP this key is bytes like any other
            if ($case['name'] === 'a key with a lone surrogate') {
                continue;
            }
            $key = isset($case['key_hex']) ? hex2bin($case['key_hex']) : $case['key'];
            foreach ([Hash::hashSession(...), Hash::hashSubject(...)] as $hash) {
                $message = $this->refusal(fn () => $hash($key, $case['value']));
                self::assertStringContainsString($case['says'] ?? '', $message);
                foreach ([$case['key'] ?? null, $case['value']] as $quoted) {
                    if (is_string($quoted) && $quoted !== '') {
                        self::assertStringNotContainsString($quoted, $message);
                    }
                }
            }
        }
    }

    public function testRandomValuesHaveTheirFormAndDiffer(): void
    {
        foreach ([Random::createNonce(...), Random::createIdempotencyKey(...)] as $create) {
            self::assertMatchesRegularExpression('/\A[A-Za-z0-9_-]{43}\z/', $create());
            self::assertNotSame($create(), $create());
        }
        $uuid = '/\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\z/';
        self::assertMatchesRegularExpression($uuid, Random::createEventId());
    }

    public function testOptionsOfTheComponentBecomeAttributesWithEveryValueEscaped(): void
    {
        foreach (self::vectors('render')['accept'] as $case) {
            self::assertSame($case['html'], self::render($case), $case['name']);
        }
    }

    public function testAnOptionThatTheComponentDoesNotKnowIsRefusedByName(): void
    {
        foreach (self::vectors('render')['refuse'] as $case) {
            self::assertStringContainsString(self::camel($case['says']), $this->refusal(fn () => self::render($case)), $case['name']);
        }
    }

    private static function render(array $case): string
    {
        $required = $case['kind'] === 'script' ? ['url'] : ['url', 'sitekey', 'intentId'];
        $options = array_fill_keys($required, null);
        foreach ($case['input'] as $name => $value) {
            $options[self::camel($name)] = $value;
        }
        return $case['kind'] === 'script' ? Html::renderScript(...$options) : Html::renderWidget(...$options);
    }

    /** The message of the refusal. */
    private function refusal(callable $make): string
    {
        try {
            $make();
        } catch (\InvalidArgumentException $error) {
            return $error->getMessage();
        }
        self::fail('it was accepted');
    }
}
