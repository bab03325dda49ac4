<?php

declare(strict_types=1);

namespace Tollgate;

/** The request of a webhook is not what the service sent now: answer with status 400, and do nothing. */
final class WebhookError extends \RuntimeException
{
}
