import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../kit/keyring.ts'

/** What a seal is for. It is part of what is signed, so that a challenge is never taken for a token. */
export type Purpose = 'challenge' | 'token'

const VERSION = 1
const MAC_BYTES = 32

/**
 * Fields as canonical bytes: each preceded by its length, so that no byte can move from one field into the
 * next (ALTCHA's CVE-2025-68113).
 */
function pack(keyId: string, fields: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, 'latin1')]
  for (const field of fields) {
    const length = Buffer.allocUnsafe(2)
    length.writeUInt16BE(field.length)
    parts.push(length, field)
  }
  return Buffer.concat(parts)
}

function unpack(body: Buffer): { keyId: string; fields: Buffer[] } | undefined {
  if (body.length < 2 || body[0] !== VERSION) return undefined
  const keyEnd = 2 + (body[1] ?? 0)
  if (keyEnd > body.length) return undefined
  const fields: Buffer[] = []
  for (let at = keyEnd; at < body.length; ) {
    if (at + 2 > body.length) return undefined
    const end = at + 2 + body.readUInt16BE(at)
    if (end > body.length) return undefined
    fields.push(body.subarray(at + 2, end))
    at = end
  }
  return { keyId: body.toString('latin1', 2, keyEnd), fields }
}

const mac = (key: Buffer, purpose: Purpose, body: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(Buffer.from([purpose.length]))
    .update(purpose)
    .update(body)
    .digest()

/** Signs the fields for one purpose with the current key: URL-safe text. Anyone can read it, only this service can make it. */
export function seal(keyring: Keyring, purpose: Purpose, fields: readonly Buffer[]): string {
  const body = pack(keyring.current.id, fields)
  return Buffer.concat([body, mac(keyring.current.key, purpose, body)]).toString('base64url')
}

/** The fields of a text sealed for this purpose with a key still in the keyring; otherwise undefined. */
export function open(keyring: Keyring, purpose: Purpose, text: string): Buffer[] | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // base64url has several encodings of the same bytes; only the canonical one is accepted
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined
  const body = bytes.subarray(0, -MAC_BYTES)
  const content = unpack(body)
  const key = content && keyring.byId.get(content.keyId)
  if (!key || !timingSafeEqual(mac(key.key, purpose, body), bytes.subarray(-MAC_BYTES))) return undefined
  return content.fields
}
