<?php // index.php
require __DIR__ . '/vendor/autoload.php';

use Tollgate\{Html, Random, TestKeys, Tollgate};
use Tollgate\{RefusedError, TollgateError, UnavailableError};

$url = 'http://localhost:3000';
$keys = TestKeys::get('pass');
$page = ['action' => 'signup', 'hostname' => 'localhost'];
$tollgate = new Tollgate($url, ...$keys);
session_start();

try {
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        // one record per form, not per session; in your application, a table of your database
        $id = $_POST['attempt'] ?? null;
        $attempt = is_string($id) ? $_SESSION['attempts'][$id] ?? null : null;
        if ($attempt === null) {
            http_response_code(403);
            exit('Please open the form again.');
        }
        // the same form can arrive again
        if (!isset($_SESSION['done'][$id])) {
            $tollgate->verify(...$page, ...$attempt, response: $_POST['svc-captcha-response'] ?? null);
            $_SESSION['done'][$id] = true;
            // act here
        }
        exit('Welcome!');
    }
    [$id, $nonce, $key] = [Random::createEventId(), Random::createNonce(), Random::createIdempotencyKey()];
    $intent = $tollgate->createIntent(...$page, nonce: $nonce);
    $_SESSION['attempts'][$id] = ['intentId' => $intent->intentId, 'idempotencyKey' => $key];
} catch (TollgateError $error) {
    // for you
    error_log($error->getMessage() . ($error->status ? " $url/docs/errors#$error->errorCode" : ''));
    // for the visitor
    [$status, $text] = match (true) {
        $error instanceof RefusedError => [409, 'Please <a href="/">open the form again</a>.'],
        $error instanceof UnavailableError => [503, 'Please <a href="/">try again</a> in a minute.'],
        default => [500, 'Something is wrong on our side.'],
    };
    http_response_code($status);
    exit($text);
}
header('Cache-Control: no-store');
?>
<form method="post">
  <input type="hidden" name="attempt" value="<?= $id ?>">
  <?= Html::renderWidget($url, $keys['sitekey'], $intent->intentId) ?>
  <button>Sign up</button>
</form>
<?= Html::renderScript($url) ?>
