<?php
/**
 * The address that returns intents.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\TollgateError;
use WP_REST_Request;
use WP_REST_Response;

defined( 'ABSPATH' ) || exit;

/**
 * Opens an intent for a form of a page that may be cached, and renews an intent that has expired. For everybody, as the forms are.
 */
final class Route {

	public const PATH = 'tollgate/v1/intent';

	public static function register(): void {
		register_rest_route(
			'tollgate/v1',
			'/intent',
			array(
				'methods'             => 'POST',
				'permission_callback' => '__return_true',
				'callback'            => array( self::class, 'answer' ),
				'args'                => array(
					'action'    => array(
						'type'    => 'string',
						'pattern' => '^[A-Za-z0-9_-]{1,64}$',
					),
					'intent_id' => array(
						'type'   => 'string',
						'format' => 'uuid',
					),
				),
			)
		);
	}

	/** `{"action"}` opens an intent; `{"intent_id"}`, which the component sends, renews that one. */
	public static function answer( WP_REST_Request $request ): WP_REST_Response {
		list( $status, $body, $headers ) = self::open( $request['action'], $request['intent_id'] ) + array( 2 => array() );
		return new WP_REST_Response( $body, $status, array( 'Cache-Control' => 'no-store' ) + $headers );
	}

	private static function open( ?string $action, ?string $intent_id ): array {
		if ( null === $action && null === $intent_id ) {
			return array( 400, array( 'error' => 'bad-request' ) );
		}
		try {
			if ( null !== $action ) {
				return array( 200, Attempts::open( $action ) );
			}
			$renewed = Attempts::renew( $intent_id );
			return null === $renewed
				? array( 409, array( 'error' => 'intent-expired' ) )
				: array( 200, array( 'intent_id' => $renewed ) );
		} catch ( TollgateError | \InvalidArgumentException $error ) {
			Problem::note( $error );
			if ( $error instanceof TollgateError && Limit::REACHED === $error->errorCode ) {
				return array( 429, array( 'error' => 'rate-limited' ), array( 'Retry-After' => (string) $error->retryAfter ) );
			}
			return array( 503, array( 'error' => 'unavailable' ) );
		}
	}
}
