<?php
/**
 * Feedback to the service about comments.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\RefusedError;
use Tollgate\Random;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;
use WP_Comment;

defined( 'ABSPATH' ) || exit;

/** Reports comments that a moderator marks as spam, and those that are taken back, if the setting says so. */
final class Reports {

	private const HOOK  = 'tollgate_report';
	private const EVENT = '_tollgate_event';

	public static function register(): void {
		add_action( 'transition_comment_status', array( self::class, 'plan' ), 10, 3 );
		add_action( self::HOOK, array( self::class, 'send' ), 10, 4 );
	}

	/** A moderator does not wait for the service. */
	public static function plan( $to, $from, WP_Comment $comment ): void {
		$is_marked = 'spam' === $to || ( 'spam' === $from && in_array( $to, array( 'approved', 'unapproved' ), true ) );
		if ( ! $is_marked || ! Settings::get( 'report' ) || ! current_user_can( 'moderate_comments' ) ) {
			return;
		}
		if ( '' !== get_comment_meta( (int) $comment->comment_ID, Comments::DECISION, true ) ) {
			$outcome = 'spam' === $to ? 'confirmed_abuse' : 'legitimate';
			wp_schedule_single_event( time(), self::HOOK, array( (int) $comment->comment_ID, $outcome, time(), Random::createEventId() ) );
		}
	}

	/** Tries again every hour for a week: the service takes no report after that. */
	public static function send( $comment_id, $outcome, $occurred_at, $event_id ): void {
		$report = array(
			'decisionId'   => get_comment_meta( $comment_id, Comments::DECISION, true ),
			'eventId'      => $event_id,
			'outcome'      => $outcome,
			'businessType' => 'comment_moderation',
			'occurredAt'   => $occurred_at,
		);
		$latest = get_comment_meta( $comment_id, self::EVENT, true );
		try {
			if ( '' !== $latest ) {
				$report['supersedesEventId'] = $latest;
			}
			Settings::client()->feedback( ...$report );
			update_comment_meta( $comment_id, self::EVENT, $event_id );
		} catch ( UnavailableError $error ) {
			if ( time() - $occurred_at < WEEK_IN_SECONDS ) {
				wp_schedule_single_event( time() + HOUR_IN_SECONDS, self::HOOK, func_get_args() );
			}
		} catch ( RefusedError $error ) {
			// Too late, or corrected in the console, where the later word counts.
			return;
		} catch ( TollgateError | \InvalidArgumentException $error ) {
			Problem::note( $error );
		}
	}
}
