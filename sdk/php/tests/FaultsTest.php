<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Hash;
use Tollgate\Intent;
use Tollgate\InvalidError;
use Tollgate\MisconfiguredError;
use Tollgate\Random;
use Tollgate\RefusedError;
use Tollgate\Testing;
use Tollgate\TestKeys;
use Tollgate\Tollgate;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;

/** A real service, and everything that can go wrong on the way to it: one decision, one unit charged. */
final class FaultsTest extends VectorCase
{
    /** Faults of the first tries that a call recovers from. */
    private const OVERCOME = [
        'nothing is wrong' => [],
        'the answer is lost after the work was done' => [['kind' => 'drop']],
        'the request is lost' => [['kind' => 'drop', 'reaches' => false]],
        'the answer is lost three times' => [['kind' => 'drop'], ['kind' => 'drop'], ['kind' => 'drop']],
        'the answer never comes' => [['kind' => 'hang']],
        'the answer comes too late' => [['kind' => 'delay', 'ms' => 1000]],
        'the answer drips' => [['kind' => 'drip', 'ms' => 100]],
        'the answer is cut in the middle' => [['kind' => 'cut']],
        'the answer is not HTTP' => [['kind' => 'garbage']],
        'a proxy answers with a login page' => [['kind' => 'answer', 'status' => 200, 'body' => '<!doctype html>']],
        'a proxy cannot reach the service' => [['kind' => 'answer', 'status' => 502, 'body' => '<h1>Bad gateway</h1>']],
        'a proxy times out' => [['kind' => 'answer', 'status' => 504, 'body' => '']],
        'the service is busy' => [['kind' => 'answer', 'status' => 429, 'body' => '{"error":"rate-limited"}']],
    ];

    public function overcome(): iterable
    {
        foreach (self::OVERCOME as $name => $faults) {
            yield $name => [$faults];
        }
    }

    /** @dataProvider overcome */
    public function testACallSucceedsDespiteAFaultAndIsCarriedOutOnce(array $faults): void
    {
        $session = Hash::hashSession('a key of the tests alone', 'session');
        $slow = in_array($faults[0]['kind'] ?? '', ['hang', 'delay', 'drip'], true);
        foreach (self::transports() as $transport) {
            $client = self::site('FAULTS_URL', timeout: $slow ? 0.3 : 5, transport: $transport);
            $call = function (array $cost, callable $perform) use ($client, $faults, $slow): mixed {
                $before = self::exchange(self::setting('BOOKS_URL'));
                self::exchange(self::setting('FAULTS_CONTROL'), $faults);
                $value = $perform($client);
                $this->expectSameBytes(count($faults) + 1, $slow);
                self::assertSame($cost, self::added($before));
                return $value;
            };
            $nonce = Random::createNonce();
            $call(['intents' => 1], fn (Tollgate $it) => $it->createIntent('checkout', $nonce, 'localhost', $session));
            $earned = self::earn($session);
            $decision = $call(['decisions' => 1, 'charged' => 1], fn (Tollgate $it) => $it->verify(...$earned))->decisionId;
            $event = Random::createEventId();
            $report = [$decision, $event, 'legitimate', 'order', new \DateTimeImmutable()];
            $receipt = $call(['reports' => 1], fn (Tollgate $it) => $it->feedback(...$report));
            self::assertSame([1, $event], [$receipt->revision, $receipt->latestEventId]);
            $grant = $call(['grants' => 1], fn (Tollgate $it) => $it->createGrant($decision, $session));
            $call([], fn (Tollgate $it) => $it->revokeGrant($grant->grantId));
            self::assertSame(0, self::site()->revokeGrant($grant->grantId)->revoked);
        }
    }

    public function refused(): iterable
    {
        foreach ([301, 302, 303, 307, 308] as $status) {
            yield "a redirection with $status" => [['kind' => 'redirect', 'status' => $status]];
        }
        $wrong = [
            'intent_id' => '0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f',
            'action' => 'signup',
            'hostname' => 'evil.example',
            'success' => 'true',
            'assessment' => 'failed',
            'decision_id' => 'dec_',
        ];
        foreach ($wrong as $field => $value) {
            yield "the answer has another $field" => [['kind' => 'change', 'fields' => [$field => $value]]];
            yield "the answer lacks $field" => [['kind' => 'change', 'drop' => [$field]]];
        }
    }

    /** @dataProvider refused */
    public function testAnAnswerThatDoesNotMatchIsNotAPassAndTheRepeatedCallGetsTheDecision(array $fault): void
    {
        foreach (self::transports() as $transport) {
            $earned = self::earn();
            $before = self::exchange(self::setting('BOOKS_URL'));
            $client = self::site('FAULTS_URL', transport: $transport);
            self::exchange(self::setting('FAULTS_CONTROL'), [$fault]);
            self::assertInstanceOf(MisconfiguredError::class, self::caught(fn () => $client->verify(...$earned)));
            $this->expectSameBytes(1);
            self::assertSame($earned['intentId'], $client->verify(...$earned)->intentId);
            self::assertSame(['decisions' => 1, 'charged' => 1], self::added($before));
        }
    }

    public function testATokenWorksOnceForItsKeyAndValues(): void
    {
        $earned = self::earn();
        $client = self::site();
        self::assertEquals($client->verify(...$earned), $client->verify(...$earned));
        $other = ['idempotencyKey' => Random::createIdempotencyKey()] + $earned;
        $error = self::caught(fn () => $client->verify(...$other));
        self::assertInstanceOf(RefusedError::class, $error);
        self::assertSame('already-redeemed', $error->errorCode);
        $error = self::caught(fn () => $client->verify(...['response' => 'tgr_other'] + $earned));
        self::assertInstanceOf(InvalidError::class, $error);
        self::assertSame('idempotency-conflict', $error->errorCode);
    }

    public function testACorrectionThatAnotherOnePrecededIsAcceptedWithTheLatestEventOfTheError(): void
    {
        $client = self::site();
        $decision = $client->verify(...self::earn())->decisionId;
        $report = fn (string $event, ?string $supersedes = null) =>
            $client->feedback($decision, $event, 'unknown', 'review', time(), $supersedes);
        [$first, $second, $third] = [Random::createEventId(), Random::createEventId(), Random::createEventId()];
        $report($first);
        $report($second, $first);
        foreach (['supersede-required' => null, 'supersede-stale' => $first] as $code => $supersedes) {
            $error = self::caught(fn () => $report($third, $supersedes));
            self::assertInstanceOf(RefusedError::class, $error);
            self::assertSame([$code, $second], [$error->errorCode, $error->latestEventId]);
        }
        self::assertSame(3, $report($third, $second)->revision);
    }

    public function testEachTestKeyThrowsItsOwnError(): void
    {
        $codes = ['spent' => 'already-redeemed', 'expired' => 'intent-expired', 'quota' => 'quota-exceeded', 'down' => 'unavailable'];
        foreach ($codes as $name => $code) {
            $client = new Tollgate(self::setting('TOLLGATE_URL'), ...TestKeys::get($name), deadline: 0.5);
            $intent = $client->createIntent('checkout', Random::createNonce(), 'localhost');
            $key = Random::createIdempotencyKey();
            $error = self::caught(fn () => $client->verify('tgr_x', $intent->intentId, 'checkout', 'localhost', $key));
            self::assertSame($code, $error->errorCode);
            self::assertStringStartsWith('req_', (string) $error->requestId);
        }
        $client = new Tollgate(self::setting('TOLLGATE_URL'), ...TestKeys::get('limit'), deadline: 0.5);
        $error = self::caught(fn () => $client->createIntent('checkout', Random::createNonce(), 'localhost'));
        self::assertInstanceOf(UnavailableError::class, $error);
        self::assertGreaterThanOrEqual(1, $error->retryAfter);
    }

    public function testTheUnitTestOfTheGuidePasses(): void
    {
        $guide = (string) file_get_contents(__DIR__ . '/../../../docs/testing.md');
        self::assertSame(1, preg_match('/```php[^\n]*\n<\?php\n(.*?)```/s', $guide, $found));
        $code = strtr($found[1], ['http://localhost:3000' => self::setting('TOLLGATE_URL')]);
        eval($code);
        (new \SignupTest('testAVisitorWithATokenPasses'))->testAVisitorWithATokenPasses();
    }

    public function testWhatTheServiceRefusesToSolveIsAnError(): void
    {
        $url = self::setting('TOLLGATE_URL');
        $client = new Tollgate($url, ...TestKeys::get('fail'));
        $intent = $client->createIntent('signup', Random::createNonce(), 'shop.example');
        self::assertMatchesRegularExpression('/422 .*solution-invalid.* as always with/', self::refusal($url, $intent));
        $strange = new Intent($intent->intentId, $intent->sitekey, 'signup', 'other.example', 0);
        self::assertMatchesRegularExpression('/403 .*origin-not-allowed/', self::refusal($url, $strange));
        self::assertStringContainsString('cannot be reached', self::refusal('http://127.0.0.1:1', $intent));
        $own = self::site()->createIntent('signup', Random::createNonce(), 'localhost');
        self::assertStringContainsString('test keys only', self::refusal($url, $own));
    }

    private static function refusal(string $url, Intent $intent): string
    {
        try {
            return Testing::solve($url, $intent);
        } catch (\RuntimeException | \InvalidArgumentException $error) {
            return $error->getMessage();
        }
    }

    /** A client of the real site, behind the proxy that injects faults or not. */
    private static function site(string $url = 'TOLLGATE_URL', mixed ...$options): Tollgate
    {
        $keys = ['sitekey' => self::setting('TOLLGATE_SITEKEY'), 'secret' => self::setting('TOLLGATE_SECRET')];
        return new Tollgate(self::setting($url), ...$keys, ...$options);
    }

    /** Opens an intent and solves its challenge; returns the arguments of `verify`. */
    private static function earn(?string $session = null): array
    {
        $intent = self::site()->createIntent('checkout', Random::createNonce(), 'localhost', $session);
        // each visitor has its own network
        $visitor = ['Origin: http://localhost', 'X-Forwarded-For: ' . long2ip(random_int(0x0a000000, 0x0affffff))];
        $fields = ['sitekey' => $intent->sitekey, 'intent_id' => $intent->intentId];
        $puzzle = self::exchange(self::setting('TOLLGATE_URL') . '/challenge', [...$fields, 'kinds' => ['pow-sha256']], $visitor);
        $work = new \ReflectionMethod(Testing::class, 'findSolution');
        $solved = [...$fields, 'challenge' => $puzzle['challenge'], 'solution' => $work->invoke(null, $puzzle)];
        return [
            'response' => self::exchange(self::setting('TOLLGATE_URL') . '/solve', $solved, $visitor)['response'],
            'intentId' => $intent->intentId,
            'action' => $intent->action,
            'hostname' => $intent->hostname,
            'idempotencyKey' => Random::createIdempotencyKey(),
        ];
    }

    /** What was added to the service's counts, without zeros. */
    private static function added(array $before): array
    {
        $after = self::exchange(self::setting('BOOKS_URL'));
        $added = [];
        foreach ($after as $name => $count) {
            $added[$name] = $count - $before[$name];
        }
        return array_filter($added);
    }

    private static function caught(callable $call): TollgateError
    {
        try {
            $value = $call();
        } catch (TollgateError $error) {
            return $error;
        }
        self::fail(get_debug_type($value) . ' in place of an error');
    }

    private function expectSameBytes(int $tries, bool $orMore = false): void
    {
        $seen = self::exchange(self::setting('FAULTS_CONTROL'));
        self::assertSame([], $seen['elsewhere'], 'the secret goes nowhere else');
        self::assertCount(1, array_unique(array_column($seen['here'], 'body')), 'every try sends the same bytes');
        // a busy machine may let a short time-out pass once more
        $orMore ? self::assertGreaterThanOrEqual($tries, count($seen['here'])) : self::assertCount($tries, $seen['here']);
    }
}
