<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Internal\CurlTransport;
use Tollgate\Tollgate;
use Tollgate\TollgateError;

/** Input that is refused before anything is sent. */
final class ArgumentsTest extends VectorCase
{
    public function inputs(): iterable
    {
        return self::named(self::vectors('arguments'));
    }

    /** @dataProvider inputs */
    public function testAnInvalidInput(array $case): void
    {
        self::tell($case['call'], 'ok');
        $this->refuse($case['call'], self::inputOf($case), $case['code'], $case['field'] ?? null);
        self::assertSame([], $this->seen(), 'nothing may be sent');
    }

    public function localMessages(): iterable
    {
        return self::named(self::vectors('messages')['local']);
    }

    /** @dataProvider localMessages */
    public function testTheMessageStatesTheBrokenRule(array $case): void
    {
        $error = $this->refuse($case['call'], self::inputOf($case), 'bad-request', $case['field']);
        $text = $error->getMessage();
        self::assertMatchesRegularExpression('/\A`[a-z_]+`:? .*[^.]\. \(bad-request, field [a-z_]+, not sent\)\z/', $text);
        self::assertStringContainsString($case['says'], $text);
        // it may be visitor data
        $value = $case['input'][$case['field']] ?? null;
        if (is_string($value) && strlen($value) > 5) {
            self::assertStringNotContainsString($value, $text);
        }
    }

    public function serviceMessages(): iterable
    {
        return self::named(self::vectors('messages')['service']);
    }

    /** @dataProvider serviceMessages */
    public function testARefusalOfAWellFormedValueByTheService(array $case): void
    {
        self::tell($case['call'], ['status' => 422, 'body' => json_encode(['error' => 'bad-request', 'field' => $case['field']])]);
        $error = self::outcome(self::client(new CurlTransport()), $case['call'], self::inputOf($case));
        self::assertInstanceOf(TollgateError::class, $error);
        self::assertSame([$case['field'], 422], [$error->field, $error->status]);
        self::assertStringContainsString($case['says'], $error->getMessage());
    }

    public function grammars(): iterable
    {
        foreach (self::vectors('grammars') as $name => $grammar) {
            foreach ($grammar['fields'] as $place) {
                [$call, $field] = explode('.', $place);
                if ($call !== 'client') {
                    yield "$name as $place" => [['call' => $call, 'field' => $field, 'uuid' => str_contains($name, 'uuid')] + $grammar];
                }
            }
        }
    }

    /** @dataProvider grammars */
    public function testEveryFieldWithEveryValueOfItsGrammar(array $case): void
    {
        ['call' => $call, 'field' => $field] = $case;
        self::tell($call, 'ok');
        foreach ($case['refuse'] as $value) {
            // null means absent in PHP
            if ($value !== null || in_array($field, self::REQUIRED[$call], true)) {
                $this->refuse($call, self::inputOf(['call' => $call, 'input' => [$field => $value]]), 'bad-request', $field);
            }
        }
        self::assertSame([], $this->seen(), 'nothing may be sent');
        foreach ($case['accept'] as $value) {
            $sent = $case['uuid'] ? strtolower($value) : $value;
            // if the answer names a field, it must be this one
            $answer = array_intersect_key([$field => $sent], self::vectors('calls')[$call]['answer']);
            self::tell($call, ['answer' => (object) $answer]);
            $input = self::inputOf(['call' => $call, 'input' => [$field => $value]]);
            self::assertIsArray(self::outcome(self::client(new CurlTransport()), $call, $input));
            self::assertSame($sent, json_decode($this->seen()[0]['body'], true)[$field]);
        }
    }

    public function testATimeIsSentInWholeSeconds(): void
    {
        $time = new \DateTimeImmutable('2023-11-14T23:13:20.999999+01:00');
        foreach ([$time, 1700000000, 1700000000.0] as $value) {
            self::tell('feedback', 'ok');
            $input = self::inputOf(['call' => 'feedback', 'input' => ['occurred_at' => $value]]);
            self::outcome(self::client(new CurlTransport()), 'feedback', $input);
            self::assertStringContainsString('"occurred_at":1700000000,', $this->seen()[0]['body']);
        }
    }

    public function testATokenIsDistinguishedFromOtherValues(): void
    {
        ['accept' => $accept, 'refuse' => $refuse] = self::vectors('grammars')['response'];
        self::assertNotContains(false, array_map(Tollgate::isResponseToken(...), $accept));
        self::assertNotContains(true, array_map(Tollgate::isResponseToken(...), $refuse));
    }

    private function refuse(string $call, array $fields, string $code, ?string $field): TollgateError
    {
        $error = self::outcome(self::client(new CurlTransport()), $call, $fields);
        self::assertInstanceOf(TollgateError::class, $error);
        self::assertSame([$code, $field, null, null], [$error->errorCode, $error->field, $error->status, $error->requestId]);
        self::assertFalse($error->retryable);
        self::assertSame(self::classOf($code, $field), get_class($error));
        return $error;
    }
}
