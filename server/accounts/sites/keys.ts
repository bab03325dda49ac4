import { checksum62, randomBase62 } from '../../kit/crypto/ids.ts'

export const newSitekey = (): string => `tg_site_${randomBase62(20)}`

/** A new secret key of 256 random bits, with a checksum that detects typing errors without the database. */
export function newSecretKey(): string {
  const body = `tg_secret_${randomBase62(43)}`
  return body + checksum62(body)
}

const SECRET_KEY = /^tg_secret_[0-9A-Za-z]{49}$/

/** Whether the text has a secret key's form and its checksum is right. */
export const isSecretKey = (text: string): boolean =>
  SECRET_KEY.test(text) && checksum62(text.slice(0, -6)) === text.slice(-6)
