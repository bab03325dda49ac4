<?php
/**
 * The limit of intents for each network of visitors.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\UnavailableError;

defined( 'ABSPATH' ) || exit;

// Requests at the same time have to count each other, which a cache cannot do.
// phpcs:disable WordPress.DB.DirectDatabaseQuery

/** Everybody can open forms, and the service limits the intents of a site by the hour: no visitor may use them up. */
final class Limit {

	/** The error code of a visitor whose network has reached the limit. */
	public const REACHED = 'network-limited';

	/** Intents that a network may open in a period, unless the filter says otherwise. */
	private const INTENTS = 100;
	private const PERIOD  = 10 * MINUTE_IN_SECONDS;

	public static function install(): void {
		global $wpdb;
		$charset = $wpdb->get_charset_collate();
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery.SchemaChange -- the plugin's own table
		$wpdb->query(
			"CREATE TABLE IF NOT EXISTS {$wpdb->prefix}tollgate_networks (
				network char(64) NOT NULL,
				opened int unsigned NOT NULL,
				started_at bigint unsigned NOT NULL,
				PRIMARY KEY  (network),
				KEY started_at (started_at)
			) {$charset}" // phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- from WordPress
		);
	}

	public static function sweep(): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}tollgate_networks WHERE started_at <= %d", time() - self::PERIOD ) );
	}

	/**
	 * Counts an intent that is about to be opened.
	 *
	 * @throws UnavailableError The visitor's network has opened as many as it may.
	 */
	public static function take(): void {
		global $wpdb;
		$network = self::network();
		if ( null === $network ) {
			return;
		}
		$now   = time();
		$ended = $now - self::PERIOD;
		$wpdb->query(
			$wpdb->prepare(
				"INSERT INTO {$wpdb->prefix}tollgate_networks (network, opened, started_at) VALUES (%s, 1, %d)
				ON DUPLICATE KEY UPDATE opened = LAST_INSERT_ID(IF(started_at <= %d, 1, opened + 1)), started_at = IF(started_at <= %d, %d, started_at)",
				$network,
				$now,
				$ended,
				$ended,
				$now
			)
		);
		// What this statement has counted, not what others have counted since; 0 for a new row.
		if ( $wpdb->insert_id > self::intents() ) {
			$started = (int) $wpdb->get_var( $wpdb->prepare( "SELECT started_at FROM {$wpdb->prefix}tollgate_networks WHERE network = %s", $network ) );
			throw new UnavailableError( 'The network has opened too many forms', self::REACHED, 429, retryAfter: max( 1, $started - $ended ) );
		}
	}

	/** Intents that a network may open in ten minutes. */
	public static function intents(): int {
		return (int) apply_filters( 'tollgate_intents_per_network', self::INTENTS );
	}

	/** The keyed hash of the visitor's network, an IPv4 address or an IPv6 /64; null if the address says nothing. */
	private static function network(): ?string {
		$address = (string) apply_filters( 'tollgate_client_address', self::address() );
		$packed  = filter_var( $address, FILTER_VALIDATE_IP ) ? inet_pton( $address ) : '';
		return '' === $packed ? null : hash_hmac( 'sha256', substr( $packed, 0, 8 ), wp_salt( 'nonce' ) );
	}

	/** The visitor's address. A proxy that is in a private network adds it to the header; who else sends the header could have made it up. */
	private static function address(): string {
		$seen   = isset( $_SERVER['REMOTE_ADDR'] ) ? sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ) ) : '';
		$passed = isset( $_SERVER['HTTP_X_FORWARDED_FOR'] ) ? sanitize_text_field( wp_unslash( $_SERVER['HTTP_X_FORWARDED_FOR'] ) ) : '';
		// An IPv4 address at a socket for both.
		$seen      = (string) preg_replace( '/\A::ffff:(?=\d+\.)/i', '', $seen );
		$is_public = filter_var( $seen, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE );
		return $is_public ? $seen : trim( substr( strrchr( ",$passed", ',' ), 1 ) );
	}
}
