<?php

/**
 * Runs the tests and writes the results as JSON.
 *
 *     php sdk/php/tests/run.php [REPORT [PATTERN]]
 *
 * A pattern such as `RenderTest` runs a part.
 */

declare(strict_types=1);

[$report, $pattern] = array_slice($argv, 1) + ['', ''];
$junit = tempnam(sys_get_temp_dir(), 'tollgate');
$command = [PHP_BINARY, '-d', 'zend.assertions=1', getenv('PHPUNIT') ?: '/usr/bin/phpunit', '--no-configuration', '--do-not-cache-result', '--bootstrap',
    __DIR__ . '/Support.php', '--fail-on-warning', '--log-junit', $junit, ...($pattern === '' ? [] : ['--filter', $pattern]), __DIR__];
passthru(implode(' ', array_map('escapeshellarg', $command)), $status);
$xml = new SimpleXMLElement((string) file_get_contents($junit));
unlink($junit);
$failures = [];
foreach ($xml->xpath('//testcase[failure or error or warning]') as $test) {
    $reason = (string) ($test->failure ?: $test->error ?: $test->warning);
    $failures[] = ['title' => "$test[class]: $test[name]", 'reason' => implode("\n", array_slice(explode("\n", $reason), 0, 8))];
}
$skipped = count($xml->xpath('//testcase[skipped]'));
$passed = count($xml->xpath('//testcase')) - count($failures) - $skipped;
$results = ['passed' => $passed, 'failed' => count($failures), 'skipped' => $skipped, 'failures' => $failures];
if ($report !== '') {
    file_put_contents($report, json_encode($results, JSON_THROW_ON_ERROR));
}
exit($status);
