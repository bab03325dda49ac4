import { COMMON, FIELDS } from './messages.ts'

/**
 * Which rule an argument breaks, and how: a sentence without the value, which may be visitor data. `own` is the
 * argument's name in the SDK, `wire` the field's. Like all sentences here, it has no full stop.
 */
export function explainOffence(own: string, wire: string, value: unknown): string {
  const reason = reasonOf(wire, value)
  return `\`${own}\` ${FIELDS[wire]?.rule}${reason === undefined ? '' : `: ${reason}`}`
}

/** Codes of Node.js and OpenSSL for a certificate that was not accepted. */
const CERTIFICATE = /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/

/** The same fault by versions of OpenSSL: the handshake was answered with something else than TLS. */
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** The server refused the handshake itself, so that the request was not sent yet. */
const NO_HANDSHAKE =
  /^ERR_SSL_.*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME|INSUFFICIENT_SECURITY|NO_APPLICATION_PROTOCOL|KEY_TOO_SMALL|MD_TOO_WEAK)$/

/** Where a connection failed: the system's code, call and sentence. */
export type Cause = { readonly code: string; readonly syscall: string; readonly message: string }

/**
 * Why nothing was sent; undefined if something may have been. `passes`: another try may succeed, because the address need not be
 * what is wrong.
 */
export function explainNothingSent({ code, syscall, message }: Cause): { says: string; passes: boolean } | undefined {
  const stays = (says: string) => ({ says, passes: false })
  const passes = (says: string) => ({ says, passes: true })
  if (code === 'ENOTFOUND') return stays(COMMON.unresolved)
  if (NO_TLS.test(code)) return stays(COMMON.no_tls)
  if (CERTIFICATE.test(code)) return stays(COMMON.certificate)
  if (NO_HANDSHAKE.test(code)) return stays(COMMON.no_handshake)
  if (message === 'bad port') return stays(COMMON.blocked_port)
  if (code.startsWith('EAI_')) return passes(COMMON.no_name_server)
  if (code === 'ECONNREFUSED') return passes(COMMON.refused)
  if (/before secure TLS connection/.test(message)) return passes(COMMON.no_handshake)
  return syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT' ? passes(COMMON.no_connection) : undefined
}

function reasonOf(wire: string, value: unknown): string | undefined {
  const { hints = [], number = false, missing = COMMON.missing, empty = COMMON.empty } = FIELDS[wire] ?? {}
  if (value === undefined) return missing
  if (value === null) return COMMON.null
  if (value === '') return empty
  if (number) {
    if (typeof value !== 'number') return COMMON.not_number
    return Number.isInteger(value) ? undefined : COMMON.not_whole
  }
  if (typeof value !== 'string') return COMMON.not_text
  return hints.find(({ pattern }) => new RegExp(pattern).test(value))?.says
}
