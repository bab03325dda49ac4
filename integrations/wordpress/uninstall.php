<?php
/**
 * Removes everything that the plugin has stored, on every site of a network.
 *
 * @package Tollgate
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Removes what one site has stored. */
function tollgate_uninstall(): void {
	global $wpdb;
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- the plugin's own table
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}tollgate_attempts" );
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- the plugin's own table
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}tollgate_networks" );
	delete_option( 'tollgate' );
	delete_option( 'tollgate_schema' );
	delete_option( 'tollgate_checked' );
	delete_transient( 'tollgate_problem' );
	delete_metadata( 'comment', 0, '_tollgate_decision', '', true );
	delete_metadata( 'comment', 0, '_tollgate_event', '', true );
	wp_unschedule_hook( 'tollgate_sweep' );
	wp_unschedule_hook( 'tollgate_report' );
}

if ( is_multisite() ) {
	$tollgate_sites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	);
	foreach ( $tollgate_sites as $tollgate_site ) {
		switch_to_blog( $tollgate_site );
		tollgate_uninstall();
		restore_current_blog();
	}
} else {
	tollgate_uninstall();
}
