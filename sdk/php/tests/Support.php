<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use PHPUnit\Framework\TestCase;
use Tollgate\Internal\Clock;
use Tollgate\Internal\CurlTransport;
use Tollgate\Internal\StreamTransport;
use Tollgate\Internal\Transport;
use Tollgate\TestKeys;
use Tollgate\Tollgate;
use Tollgate\TollgateError;

require __DIR__ . '/../autoload.php';

/** A clock that advances only by sleeping. */
final class TestClock extends Clock
{
    /** @var list<float> */
    public array $waits = [];
    private float $now = 1000.0;

    public function now(): float
    {
        return $this->now;
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = $seconds;
        $this->now += $seconds;
    }
}

/** The tests of both transports, with the vectors of sdk/vectors and the servers that scripts/sdkTests.ts starts. */
abstract class VectorCase extends TestCase
{
    /** Arguments that PHP requires and the vectors omit are passed as null. */
    protected const REQUIRED = [
        'create_intent' => ['action', 'nonce', 'hostname'],
        'verify' => ['response', 'intent_id', 'action', 'hostname', 'idempotency_key'],
        'feedback' => ['decision_id', 'event_id', 'outcome', 'business_type', 'occurred_at'],
        'create_grant' => ['decision_id'],
        'revoke_grant' => [],
    ];

    /** @return list<Transport> */
    protected static function transports(): array
    {
        return [new CurlTransport(), new StreamTransport()];
    }

    /** A file of sdk/vectors. Text with a lone surrogate becomes bytes that are not UTF-8: PHP can have only those. */
    protected static function vectors(string $name): array
    {
        $json = (string) file_get_contents(__DIR__ . "/../../vectors/$name.json");
        $lone = '/(?<!\\\\)\\\\ud(?:[89ab]..(?!\\\\ud[c-f])|[c-f]..)(?<!\\\\ud[89ab]..\\\\ud...)/i';
        $cases = json_decode((string) preg_replace($lone, '<lone>', $json), true, flags: JSON_THROW_ON_ERROR);
        array_walk_recursive($cases, static function (mixed &$value): void {
            $value = is_string($value) ? str_replace('<lone>', "\xed\xa0\x80", $value) : $value;
        });
        return $cases;
    }

    /** @return iterable<string, array{array}> the cases of a list, by their names */
    protected static function named(array $cases): iterable
    {
        foreach ($cases as $index => $case) {
            yield sprintf('%03d %s', $index, $case['name']) => [$case];
        }
    }

    /** The complete input of a case. */
    protected static function inputOf(array $case): array
    {
        $input = [...self::vectors('calls')[$case['call']]['input'], ...($case['input'] ?? [])];
        return array_diff_key($input, array_flip($case['without'] ?? []));
    }

    /** Calls a method by its name on the wire; returns its value by those names, without what is null, or its error. */
    protected static function outcome(Tollgate $client, string $call, array $fields): array|TollgateError
    {
        $arguments = [];
        foreach ([...array_fill_keys(self::REQUIRED[$call], null), ...$fields] as $name => $value) {
            $arguments[self::camel($name)] = $value;
        }
        try {
            $value = get_object_vars($client->{self::camel($call)}(...$arguments));
        } catch (TollgateError $error) {
            return $error;
        }
        $wire = [];
        foreach (array_filter($value, static fn (mixed $each): bool => $each !== null) as $name => $each) {
            $wire[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = $each;
        }
        ksort($wire);
        return $wire;
    }

    protected static function camel(string $name): string
    {
        return lcfirst(str_replace('_', '', ucwords($name, '_')));
    }

    /** A client of the scripted server, whose waits take no time. */
    protected static function client(Transport $transport, ?Clock $clock = null, string $path = ''): Tollgate
    {
        $url = self::setting('SCRIPTED_URL') . $path;
        return new Tollgate($url, ...TestKeys::get('pass'), transport: $transport, clock: $clock ?? new TestClock());
    }

    /** The name of an error's class. */
    protected static function classOf(string $code, ?string $field, bool $retryable = false): string
    {
        $classes = array_column(self::vectors('errors'), 'class', 'code');
        return 'Tollgate\\' . match (true) {
            $retryable => 'UnavailableError',
            // a response is the visitor's value, so a malformed one is a refusal, not a mistake
            $code === 'bad-request' && $field === 'response' => 'RefusedError',
            default => $classes[$code] ?? 'TollgateError',
        };
    }

    /** Sets the answers of the scripted server: the n-th request gets the n-th answer, the last one forever. */
    protected static function tell(string $call, mixed ...$answers): void
    {
        self::exchange(self::setting('SCRIPTED_CONTROL'), ['call' => $call, 'answers' => $answers]);
    }

    /** The requests since then. */
    protected function seen(): array
    {
        $record = self::exchange(self::setting('SCRIPTED_CONTROL'));
        self::assertSame(0, $record['astray'], 'no other server may be called');
        return $record['seen'];
    }

    protected static function exchange(string $url, ?array $content = null, array $headers = []): array
    {
        $body = $content === null ? [] : ['method' => 'POST', 'content' => json_encode($content, JSON_THROW_ON_ERROR)];
        $http = ['header' => ['Content-Type: application/json', ...$headers], 'timeout' => 30] + $body;
        $answer = file_get_contents($url, false, stream_context_create(['http' => $http]));
        return json_decode((string) $answer, true, flags: JSON_THROW_ON_ERROR);
    }

    protected static function setting(string $name): string
    {
        return getenv($name) ?: self::markTestSkipped('scripts/sdkTests.ts starts the servers');
    }
}
