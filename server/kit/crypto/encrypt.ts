import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

const keyFor = (key: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, 32))

/**
 * Encrypts a text with the current key: `<key id>.<base64url>`. `purpose`: what the text is for, which has a key of its own.
 * `bound`: what has to be the same to decrypt it.
 */
export function encrypt({ current }: Keyring, purpose: string, text: string, bound: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyFor(current.key, purpose), iv).setAAD(Buffer.from(bound))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`
}

/** The text, if a key of the keyring encrypted it for this purpose and with the same `bound`. Otherwise throws. */
export function decrypt({ byId }: Keyring, purpose: string, encrypted: string, bound: string): string {
  const [id = '', content = ''] = encrypted.split('.')
  const ringKey = byId.get(id)
  if (!ringKey) throw new Error(`the key "${id}" is not in the keyring (TOLLGATE_KEYS)`)
  const bytes = Buffer.from(content, 'base64url')
  const decipher = createDecipheriv(CIPHER, keyFor(ringKey.key, purpose), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
