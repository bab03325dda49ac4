<?php

declare(strict_types=1);

namespace Tollgate;

/** No decision was possible, or it is not known. The same call may succeed later; nothing is done twice. */
final class UnavailableError extends TollgateError
{
}
