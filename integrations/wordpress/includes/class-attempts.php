<?php
/**
 * The records of forms.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\Random;
use Tollgate\UnavailableError;

defined( 'ABSPATH' ) || exit;

// The records change within a request, so a cache would give stale ones.
// phpcs:disable WordPress.DB.DirectDatabaseQuery

/** One record for each form that is shown. It is stored before the intent is opened, and has the keys of both calls. */
final class Attempts {

	public const SCHEMA = 2;

	/** Seconds that a record is kept after its form was opened or renewed. */
	private const KEPT = DAY_IN_SECONDS;

	/** The record that this request has locked. */
	private static ?string $locked = null;

	private static function table(): string {
		global $wpdb;
		return $wpdb->prefix . 'tollgate_attempts';
	}

	public static function install(): void {
		global $wpdb;
		$charset = $wpdb->get_charset_collate();
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery.SchemaChange -- the plugin's own table
		$wpdb->query(
			"CREATE TABLE IF NOT EXISTS {$wpdb->prefix}tollgate_attempts (
				id char(36) NOT NULL,
				session char(64) NOT NULL,
				action varchar(64) NOT NULL,
				hostname varchar(253) NOT NULL,
				nonce varchar(128) NOT NULL,
				idempotency_key varchar(128) NOT NULL,
				intent_id char(36) NULL,
				content char(64) NULL,
				token varchar(512) NULL,
				refusal varchar(64) NULL,
				decision_id varchar(64) NULL,
				result text NULL,
				opened_at bigint unsigned NOT NULL,
				PRIMARY KEY  (id),
				UNIQUE KEY nonce (nonce),
				UNIQUE KEY idempotency_key (idempotency_key),
				UNIQUE KEY intent_id (intent_id),
				KEY opened_at (opened_at)
			) {$charset}" // phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- from WordPress
		);
		Limit::install();
		add_option( Settings::OPTION, Settings::DEFAULTS );
		if ( ! wp_next_scheduled( 'tollgate_sweep' ) ) {
			wp_schedule_event( time(), 'hourly', 'tollgate_sweep' );
		}
		update_option( 'tollgate_schema', self::SCHEMA );
	}

	public static function sweep(): void {
		global $wpdb;
		$before = time() - self::KEPT;
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}tollgate_attempts WHERE opened_at < %d", $before ) );
		Limit::sweep();
	}

	/**
	 * Opens an intent for a form of the visitor.
	 *
	 * @return array{id: string, intent_id: string}
	 * @throws \Tollgate\TollgateError|\InvalidArgumentException The form cannot be shown.
	 */
	public static function open( string $action ): array {
		global $wpdb;
		Limit::take();
		$record  = array(
			'id'       => Random::createEventId(),
			'session'  => Session::open(),
			'action'   => $action,
			'hostname' => Settings::hostname(),
		);
		$created = $record + self::draw();
		self::store( $wpdb->insert( self::table(), $created ) );
		return array(
			'id'        => $record['id'],
			'intent_id' => self::attach( $created ),
		);
	}

	/**
	 * Opens another intent for a form whose intent has expired or was redeemed; null if the form must not be sent again.
	 *
	 * @throws \Tollgate\TollgateError|\InvalidArgumentException There is no new intent.
	 */
	public static function renew( string $intent_id ): ?string {
		global $wpdb;
		$session = Session::find();
		$id      = null === $session ? null : $wpdb->get_var(
			$wpdb->prepare(
				"SELECT id FROM {$wpdb->prefix}tollgate_attempts WHERE intent_id = %s AND session = %s",
				strtolower( $intent_id ),
				$session
			)
		);
		if ( null === $id || ! self::lock( $id ) ) {
			return null;
		}
		$attempt = self::find( $id, $session );
		// A submission whose result is unknown can only be sent again as it was.
		if ( null !== $attempt['token'] && null === $attempt['result'] && null === $attempt['refusal'] ) {
			return null;
		}
		Limit::take();
		// The intent stays until there is another one, so that the component can ask again.
		$cleared = array_fill_keys( array( 'content', 'token', 'refusal', 'decision_id', 'result' ), null );
		$changed = self::draw() + $cleared;
		self::update( $id, $changed );
		return self::attach( array_merge( $attempt, $changed ) );
	}

	/** The visitor's record with an intent, as it is now. */
	public static function find( string $id, string $session ): ?array {
		global $wpdb;
		$query = "SELECT * FROM {$wpdb->prefix}tollgate_attempts WHERE id = %s AND session = %s AND intent_id IS NOT NULL";
		// phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- prepared here
		return $wpdb->get_row( $wpdb->prepare( $query, $id, $session ), ARRAY_A );
	}

	/** Waits for other requests with the same form. The lock ends with the request. */
	public static function lock( string $id ): bool {
		global $wpdb;
		// MySQL before 5.7 would release the lock for a moment.
		if ( self::$locked !== $id && '1' === $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, 20)', $wpdb->prefix . $id ) ) ) {
			self::$locked = $id;
		}
		return self::$locked === $id;
	}

	/** Changes columns of a record. */
	public static function update( string $id, array $columns ): void {
		global $wpdb;
		self::store( $wpdb->update( self::table(), $columns, array( 'id' => $id ) ) );
	}

	private static function draw(): array {
		return array(
			'nonce'           => Random::createNonce(),
			'idempotency_key' => Random::createIdempotencyKey(),
			'opened_at'       => time(),
		);
	}

	/** Opens the intent of a record that is stored. */
	private static function attach( array $attempt ): string {
		$intent = Settings::client()->createIntent(
			action: $attempt['action'],
			nonce: $attempt['nonce'],
			hostname: $attempt['hostname'],
			session: $attempt['session']
		);
		self::update( $attempt['id'], array( 'intent_id' => $intent->intentId ) );
		return $intent->intentId;
	}

	/** @throws UnavailableError Nothing was stored, so nothing can be verified. */
	private static function store( $rows ): void {
		if ( ! $rows ) {
			throw new UnavailableError( 'The table of the plugin cannot be written', 'unavailable' );
		}
	}
}
