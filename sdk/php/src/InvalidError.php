<?php

declare(strict_types=1);

namespace Tollgate;

/** A value of the call breaks a rule, or is not the one that you stored: a mistake in your program. */
final class InvalidError extends TollgateError
{
}
