const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Something that has the form of a secret key, anywhere in a text. */
export const SECRET = /tg_secret_[0-9A-Za-z]{49}/

const WHOLE = /^tg_secret_[0-9A-Za-z]{49}$/

/** Whether the text has the form of a secret key; `isIntact` detects typing errors. */
export const isSecret = (value: unknown): value is string => typeof value === 'string' && WHOLE.test(value)

/** Whether the checksum at the end of a secret is right. */
export const isIntact = (secret: string): boolean => checksum(secret.slice(0, -6)) === secret.slice(-6)

/** CRC-32 (IEEE) of the ASCII text as 6 digits of base 62. The oldest supported Node has no crc32. */
function checksum(text: string): string {
  let crc = ~0
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = ~crc >>> 0
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
