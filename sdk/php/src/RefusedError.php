<?php

declare(strict_types=1);

namespace Tollgate;

/** The service refused, for a reason that is not yours. Of `verify`: the visitor is not verified; show a fresh form. */
final class RefusedError extends TollgateError
{
}
