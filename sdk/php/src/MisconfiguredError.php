<?php

declare(strict_types=1);

namespace Tollgate;

/** Keys, address, site or a proxy in between are not right, so that every call fails: alert yourself. */
final class MisconfiguredError extends TollgateError
{
}
