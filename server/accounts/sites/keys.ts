import { checksum62, randomBase62 } from '../../kit/crypto/ids.ts'

export const newSitekey = (): string => `tg_site_${randomBase62(20)}`

/** 256 random bits, with a checksum that detects typing errors without the database. */
function newKey(prefix: string): string {
  const body = prefix + randomBase62(43)
  return body + checksum62(body)
}

const isKey = (form: RegExp, text: string): boolean =>
  form.test(text) && checksum62(text.slice(0, -6)) === text.slice(-6)

/** A new secret key of a site. */
export const newSecretKey = (): string => newKey('tg_secret_')

const SECRET_KEY = /^tg_secret_[0-9A-Za-z]{49}$/

/** Whether the text has a secret key's form and its checksum is right. */
export const isSecretKey = (text: string): boolean => isKey(SECRET_KEY, text)

/** A new key of the management API. */
export const newApiKey = (): string => newKey('tg_manage_')

const API_KEY = /^tg_manage_[0-9A-Za-z]{49}$/

/** The same for a key of the management API. */
export const isApiKey = (text: string): boolean => isKey(API_KEY, text)
