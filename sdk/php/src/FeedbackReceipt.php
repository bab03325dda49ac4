<?php

declare(strict_types=1);

namespace Tollgate;

/** The report was accepted. */
final class FeedbackReceipt
{
    /**
     * @param int $revision 1 for the first event of its decision, one more for each correction
     * @param int $expiresAt Unix seconds: until when it can be corrected
     * @param ?string $latestEventId the decision's latest event: this one, unless the call was repeated and the event has been
     *     corrected since, here or in the console; null if the service does not say it
     * @param true $accepted
     */
    public function __construct(
        public readonly string $eventId,
        public readonly int $revision,
        public readonly int $expiresAt,
        public readonly ?string $latestEventId = null,
        public readonly bool $accepted = true,
    ) {
    }
}
