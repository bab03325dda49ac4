import { hash } from 'node:crypto'

/** The size of a block of SHA-256. */
const BLOCK_BYTES = 64
const DIGEST_BYTES = 32

/** The HMAC-SHA-256 of a message in two parts, as text of 32 latin1 characters, one for each byte. */
export type Hmac = (label: Uint8Array, message: Uint8Array) => string

/**
 * HMAC-SHA-256 (RFC 2104) with one key of at most 64 bytes, as two one-shot hashes over prepared blocks. Half the
 * time of `createHmac`, which makes an object of OpenSSL for each message.
 */
export function createHmac(key: Buffer): Hmac {
  if (key.length > BLOCK_BYTES) throw new RangeError(`the key is longer than ${BLOCK_BYTES} bytes`)
  const padded = Buffer.alloc(BLOCK_BYTES)
  key.copy(padded)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)
  outer.set(padded.map((byte) => byte ^ 0x5c))
  return (label, message) => {
    const block = Buffer.allocUnsafe(BLOCK_BYTES + label.length + message.length)
    block.set(inner)
    block.set(label, BLOCK_BYTES)
    block.set(message, BLOCK_BYTES + label.length)
    outer.write(hash('sha256', block, 'binary'), BLOCK_BYTES, 'latin1')
    return hash('sha256', outer, 'binary')
  }
}
