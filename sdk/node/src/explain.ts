import { COMMON, FIELDS } from './messages.ts'

/**
 * Which rule an argument breaks, and how: a sentence without the value, which may be visitor data. `own` is the
 * argument's name in the SDK, `wire` the field's.
 */
export function explainOffence(own: string, wire: string, value: unknown): string {
  const reason = reasonOf(wire, value)
  return `\`${own}\` ${FIELDS[wire]?.rule}${reason === undefined ? '' : `: ${reason}`}.`
}

/** An unknown argument. */
export const explainUnknown = (own: string): string => `\`${own}\` ${COMMON.unknown}.`

/** Exactly one of grant and session is required. */
export const explainChoice = (own: string): string => `\`${own}\`: ${COMMON.one_of}.`

/** Why the service refused a well-formed field; a malformed one would not have been sent. */
export const explainRefusal = (own: string, wire: string): string =>
  `\`${own}\` ${FIELDS[wire]?.service ?? COMMON.service}.`

const REDIRECTIONS = new Set([301, 302, 303, 307, 308])

/** What to do about an answer of this status that is not the service's; undefined if the catalogue's sentence says it. */
export const explainStatus = (status: number): string | undefined =>
  REDIRECTIONS.has(status) ? `${COMMON.redirected}.` : undefined

/** Codes of Node.js and OpenSSL for a certificate that was not accepted. */
const CERTIFICATE = /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/

/** The same fault by versions of OpenSSL: the handshake was answered with something else than TLS. */
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** Why no request was sent, by the code of the connection's error; undefined if it may have been sent. */
export function explainNothingSent(code: string): string | undefined {
  if (code === 'ENOTFOUND') return `${COMMON.unresolved}.`
  if (NO_TLS.test(code)) return `${COMMON.no_tls}.`
  return CERTIFICATE.test(code) ? `${COMMON.certificate}.` : undefined
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
