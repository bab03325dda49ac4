import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../kit/crypto/keyring.ts'
import { Fields, type Uint } from './fields.ts'

/** What a seal is for. It is part of what is signed, so that a challenge is never taken for a token. */
export type Purpose = 'challenge' | 'token'

const VERSION = 1
const MAC_BYTES = 32

/**
 * Writes the fields as canonical bytes at the beginning of a buffer with room for the MAC: each preceded by its length, so
 * that no byte can move from one field into the next (ALTCHA's CVE-2025-68113).
 */
function pack(keyId: string, fields: readonly (Buffer | Uint)[]): Buffer {
  let size = 2 + keyId.length
  for (const { length } of fields) size += 2 + length
  const out = Buffer.allocUnsafe(size + MAC_BYTES)
  out[0] = VERSION
  out[1] = keyId.length
  let at = 2 + out.write(keyId, 2, 'latin1')
  for (const field of fields) {
    at = out.writeUInt16BE(field.length, at)
    if (Buffer.isBuffer(field)) out.set(field, at)
    else out.writeUIntBE(field.value, at, field.length)
    at += field.length
  }
  return out
}

function unpack(body: Buffer): { keyId: string; fields: Fields } | undefined {
  if (body.length < 2 || body[0] !== VERSION) return undefined
  const keyEnd = 2 + (body[1] ?? 0)
  if (keyEnd > body.length) return undefined
  const bounds: number[] = []
  for (let at = keyEnd; at < body.length; ) {
    if (at + 2 > body.length) return undefined
    const start = at + 2
    at = start + body.readUInt16BE(at)
    if (at > body.length) return undefined
    bounds.push(start, at)
  }
  return { keyId: body.toString('latin1', 2, keyEnd), fields: new Fields(body, bounds) }
}

const label = (purpose: Purpose): Buffer => Buffer.concat([Buffer.from([purpose.length]), Buffer.from(purpose)])
/** What is signed before the body: the purpose, preceded by its length. */
const LABELS: Record<Purpose, Buffer> = { challenge: label('challenge'), token: label('token') }

/** Signs the fields for one purpose with the current key: URL-safe text. Anyone can read it, only this service can make it. */
export function seal({ current }: Keyring, purpose: Purpose, fields: readonly (Buffer | Uint)[]): string {
  const out = pack(current.id, fields)
  const end = out.length - MAC_BYTES
  out.write(current.hmac(LABELS[purpose], out.subarray(0, end)), end, 'latin1')
  return out.toString('base64url')
}

/** The fields of a text sealed for this purpose with a key still in the keyring; otherwise undefined. */
export function open(keyring: Keyring, purpose: Purpose, text: string): Fields | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // base64url has several encodings of the same bytes; only the canonical one is accepted
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined
  const body = bytes.subarray(0, -MAC_BYTES)
  const content = unpack(body)
  const key = content && keyring.byId.get(content.keyId)
  if (!key || !timingSafeEqual(Buffer.from(key.hmac(LABELS[purpose], body), 'latin1'), bytes.subarray(-MAC_BYTES)))
    return undefined
  return content.fields
}
