<?php

declare(strict_types=1);

namespace Tollgate\Tests;

use Tollgate\Internal\Keys;
use Tollgate\Internal\StreamTransport;
use Tollgate\TestKeys;
use Tollgate\Tollgate;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;

/** The limits of a try: address, size and secrecy. */
final class TransportTest extends VectorCase
{
    private const SECRET = 'tg_secret_k3PbQ9xT2LmVw7ZyR4dNc8HsJ6fGa1UeXo5CvBtKqMn0htdcX';

    public function testWhatIsNoHttpIsNoAnswerAndMayBeRepeated(): void
    {
        $answers = [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-d\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{",
            "HTTP/1.1 -1 OK\r\n\r\n",
            "HTTP/1.1 2\xb20 OK\r\n\r\n",
            str_repeat("HTTP/1.1 100 Continue\r\n\r\n", 50),
            'HTTP/1.1 200',
            "\r\n",
        ];
        foreach (self::transports() as $transport) {
            foreach ($answers as $answer) {
                self::tell('verify', ['raw' => mb_convert_encoding($answer, 'UTF-8', 'ISO-8859-1')]);
                $error = self::outcome(self::client($transport), 'verify', self::inputOf(['call' => 'verify']));
                self::assertInstanceOf(TollgateError::class, $error);
                self::assertTrue($error->retryable, get_class($transport) . " $answer");
            }
        }
    }

    public function testAnAnswerInChunksIsRead(): void
    {
        $body = json_encode(self::vectors('calls')['revoke_grant']['answer']);
        $chunks = implode('', array_map(static fn (string $part): string => sprintf("%x\r\n%s\r\n", strlen($part), $part), str_split($body, 5)));
        foreach (self::transports() as $transport) {
            self::tell('revoke_grant', ['raw' => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{$chunks}0\r\n\r\n"]);
            $outcome = self::outcome(self::client($transport), 'revoke_grant', self::inputOf(['call' => 'revoke_grant']));
            self::assertSame(self::vectors('calls')['revoke_grant']['answer'], $outcome);
        }
    }

    public function testWhatSendsNothingIsSaidWithItsCause(): void
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $free = stream_socket_get_name($server, false);
        fclose($server);
        foreach (self::transports() as $transport) {
            $clock = new TestClock();
            $client = new Tollgate("http://$free", ...TestKeys::get('pass'), transport: $transport, clock: $clock);
            $error = self::outcome($client, 'revoke_grant', self::inputOf(['call' => 'revoke_grant']));
            self::assertInstanceOf(UnavailableError::class, $error);
            $expected = '/\ANothing was sent, because nothing listens .*' . preg_quote($free, '/') . '/';
            self::assertMatchesRegularExpression($expected, $error->getMessage());
            self::assertCount(5, $clock->waits);
            $client = new Tollgate('https://nowhere.invalid', ...TestKeys::get('pass'), transport: $transport, clock: $clock);
            $error = self::outcome($client, 'revoke_grant', self::inputOf(['call' => 'revoke_grant']));
            self::assertInstanceOf(UnavailableError::class, $error);
            self::assertStringContainsString('Nothing was sent, because the', $error->getMessage());
            $https = str_replace('http:', 'https:', self::setting('SCRIPTED_URL'));
            $client = new Tollgate($https, ...TestKeys::get('pass'), transport: $transport, clock: $clock);
            $error = self::outcome($client, 'revoke_grant', self::inputOf(['call' => 'revoke_grant']));
            self::assertStringContainsString('does not speak TLS', $error->getMessage(), get_class($transport));
            self::assertFalse($error->retryable);
        }
    }

    public function testAProxyOfTheEnvironmentIsNotUsed(): void
    {
        foreach (self::transports() as $transport) {
            self::tell('verify', 'ok');
            $names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy'];
            array_map(static fn (string $name): bool => putenv("$name=http://127.0.0.1:1"), $names);
            try {
                self::assertIsArray(self::outcome(self::client($transport), 'verify', self::inputOf(['call' => 'verify'])));
            } finally {
                array_map(putenv(...), $names);
            }
        }
    }

    public function testACertificateIsAcceptedOnlyOfATrustedAuthorityAndForTheHost(): void
    {
        $folder = sys_get_temp_dir() . '/tollgate-' . bin2hex(random_bytes(6));
        mkdir($folder);
        exec("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout $folder/key.pem -out $folder/cert.pem 2>&1", result_code: $code);
        self::assertSame(0, $code, 'openssl makes the certificate');
        $cases = [[true, 'localhost', null], [false, 'localhost', 'certificate'], [true, '127.0.0.1', 'certificate']];
        foreach (self::transports() as $transport) {
            foreach ($cases as [$trusted, $host, $says]) {
                $server = proc_open([PHP_BINARY, __DIR__ . '/tlsServer.php', $folder], [1 => ['pipe', 'w']], $pipes);
                $port = trim((string) fgets($pipes[1]));
                putenv($trusted ? "SSL_CERT_FILE=$folder/cert.pem" : 'SSL_CERT_FILE');
                try {
                    $client = new Tollgate("https://$host:$port", ...TestKeys::get('pass'), transport: $transport);
                    $outcome = self::outcome($client, 'revoke_grant', self::inputOf(['call' => 'revoke_grant']));
                } finally {
                    putenv('SSL_CERT_FILE');
                }
                $received = stream_get_contents($pipes[1]);
                proc_close($server);
                if ($says === null) {
                    self::assertSame(['revoked' => 1], $outcome instanceof TollgateError ? $outcome->getMessage() : $outcome);
                    continue;
                }
                self::assertInstanceOf(UnavailableError::class, $outcome);
                self::assertStringContainsString('Nothing was sent, because the service’s certificate', $outcome->getMessage());
                self::assertFalse($outcome->retryable);
                self::assertStringNotContainsString('POST', (string) $received);
            }
        }
        array_map(unlink(...), ["$folder/key.pem", "$folder/cert.pem"]);
        rmdir($folder);
    }

    public function testTheSecretIsShownByNoDumpNorError(): void
    {
        $keys = ['sitekey' => 'tg_site_TESTpass000000000000', 'secret' => self::SECRET];
        $client = new Tollgate(self::setting('SCRIPTED_URL'), ...$keys, clock: new TestClock());
        ob_start();
        var_dump($client, (array) $client);
        $shown = ob_get_clean() . print_r($client, true) . var_export($client, true) . json_encode($client);
        foreach (['drop', 'garbage', ['status' => 401, 'body' => '{"error":"unauthorized"}'], ['status' => 409,
            'body' => json_encode(['error' => self::SECRET, 'field' => self::SECRET]), 'headers' => ['x-request-id' => self::SECRET]]] as $answer) {
            self::tell('verify', $answer);
            $error = self::outcome($client, 'verify', self::inputOf(['call' => 'verify']));
            self::assertInstanceOf(TollgateError::class, $error);
            $shown .= $error . print_r($error, true);
        }
        foreach ([['url' => 'ftp://x'], ['timeout' => 0], ['sitekey' => 'x']] as $wrong) {
            try {
                new Tollgate(...[...['url' => 'https://tollgate.example'], ...$keys, ...$wrong]);
                self::fail('it was accepted');
            } catch (\InvalidArgumentException $error) {
                // the rest of the trace is this test's
                $shown .= $error->getMessage() . print_r($error->getTrace()[0]['args'] ?? [], true);
                $shown .= print_r(array_slice($error->getTrace(), 0, 2)[1]['args'] ?? [], true);
            }
        }
        self::assertStringNotContainsString(substr(self::SECRET, 12, 18), $shown);
        foreach ([fn () => serialize($client), fn () => clone (new \ReflectionProperty($client, 'keys'))->getValue($client)] as $copy) {
            try {
                $copy();
                self::fail('it was copied');
            } catch (\LogicException | \Error $error) {
                self::assertStringNotContainsString('it was copied', $error->getMessage());
            }
        }
    }
}
