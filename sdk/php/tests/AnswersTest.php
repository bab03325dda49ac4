<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\TestKeys;
use Tollgate\Tollgate;
use Tollgate\TollgateError;

/** The outcome of every kind of answer. */
final class AnswersTest extends VectorCase
{
    public function answers(): iterable
    {
        return self::named(self::vectors('answers'));
    }

    /** @dataProvider answers */
    public function testOneAnswerGivenToEveryTry(array $case): void
    {
        foreach (self::transports() as $transport) {
            self::tell($case['call'], array_diff_key($case, array_flip(['name', 'call', 'input', 'without', 'expect'])));
            $this->expectOutcome($case, self::outcome(self::client($transport), $case['call'], self::inputOf($case)));
            $again = $case['expect']['error']['retryable'] ?? false;
            self::assertSame($again, count($this->seen()) > 1, 'whether it was repeated');
        }
    }

    public function codes(): iterable
    {
        foreach (self::vectors('errors') as $kind) {
            foreach ($kind['statuses'] as $status) {
                yield "$status $kind[code]" => [['status' => $status] + $kind];
            }
        }
    }

    /** @dataProvider codes */
    public function testEveryCodeOfTheService(array $case): void
    {
        $error = array_intersect_key($case, array_flip(['code', 'status', 'retryable']));
        foreach (self::transports() as $transport) {
            self::tell('verify', ['status' => $case['status'], 'body' => json_encode(['error' => $case['code']])]);
            $outcome = self::outcome(self::client($transport), 'verify', self::inputOf(['call' => 'verify']));
            $this->expectOutcome(['call' => 'verify', 'expect' => ['error' => $error]], $outcome);
            self::assertStringStartsWith(explode('{', $case['says'])[0], $outcome->getMessage());
            self::assertSame($case['retryable'], count($this->seen()) > 1);
        }
    }

    public function retries(): iterable
    {
        return self::named(self::vectors('retries'));
    }

    /** @dataProvider retries */
    public function testDifferentAnswersToSuccessiveTries(array $case): void
    {
        foreach (self::transports() as $transport) {
            $clock = new TestClock();
            self::tell($case['call'], ...$case['answers']);
            $this->expectOutcome($case, self::outcome(self::client($transport, $clock), $case['call'], self::inputOf($case)));
            $seen = $this->seen();
            self::assertCount($case['expect']['tries'], $seen);
            self::assertCount(1, array_unique(array_column($seen, 'body')), 'the same bytes');
            self::assertCount(count($case['expect']['waits']), $clock->waits);
            foreach ($case['expect']['waits'] as $index => $least) {
                self::assertEqualsWithDelta($least + 50, $clock->waits[$index] * 1000, 50.001);
            }
        }
    }

    public function testEachCallSendsItsFieldsAsJsonUnderTheSecret(): void
    {
        foreach (self::transports() as $transport) {
            foreach (self::vectors('calls') as $call => $about) {
                self::tell($call, 'ok');
                self::assertIsArray(self::outcome(self::client($transport, path: '/base/'), $call, $about['input']));
                [$request] = $this->seen();
                $secret = TestKeys::get('pass')['secret'];
                self::assertSame("/base$about[path]", $request['path']);
                self::assertSame($about['input'], json_decode($request['body'], true));
                self::assertSame("Bearer $secret", $request['authorization']);
                self::assertSame('application/json', $request['headers']['content-type']);
                self::assertSame(explode('//', self::setting('SCRIPTED_URL'))[1], $request['headers']['host']);
                self::assertSame('tollgate-php/' . Tollgate::VERSION, $request['headers']['user-agent']);
                self::assertStringNotContainsString($secret, $request['body']);
            }
        }
    }

    private function expectOutcome(array $case, array|TollgateError $outcome): void
    {
        if (isset($case['expect']['value'])) {
            $value = [...self::vectors('calls')[$case['call']]['answer'], ...$case['expect']['value']];
            ksort($value);
            self::assertSame($value, $outcome);
            return;
        }
        $expected = $case['expect']['error'];
        self::assertInstanceOf(TollgateError::class, $outcome);
        $class = self::classOf($expected['code'], $expected['field'] ?? null, $expected['retryable']);
        self::assertSame($class, get_class($outcome));
        $properties = ['code' => 'errorCode'];
        foreach (array_diff_key($expected, ['says' => true]) as $name => $value) {
            self::assertSame($value, $outcome->{$properties[$name] ?? self::camel($name)}, $name);
        }
        self::assertStringContainsString($expected['says'] ?? '', $outcome->getMessage());
    }
}
