import { uuidOfHex } from '../../contract/ids.ts'
import { isSecretKey } from '../sites/keys.ts'

/**
 * A search text, classified by its format. `tail`: the reference shown to a visitor, the last
 * eight digits of a request's id.
 */
export type SearchQuery =
  | { shape: 'secret'; secret: string | undefined }
  | { shape: 'decision' | 'request' | 'uuid'; id: string }
  | { shape: 'sitekey'; sitekey: string }
  | { shape: 'reference'; tail: string; text: string }
  | { shape: 'email'; email: string }
  | { shape: 'name'; text: string }

/** Recognises it; undefined for nothing at all. Of a secret key only a whole one is handed on. */
export function readQuery(typed: string): SearchQuery | undefined {
  const text = typed.trim().replace(/^["'`‘“({[]+|["'`’”)}\].,;]+$/g, '')
  if (text === '') return undefined
  const secret = /tg_secret_[0-9A-Za-z]*/.exec(text)?.[0]
  if (secret !== undefined) return { shape: 'secret', secret: isSecretKey(secret) ? secret : undefined }
  const sitekey = /tg_site_[0-9A-Za-z]{20}/.exec(text)?.[0]
  if (sitekey !== undefined) return { shape: 'sitekey', sitekey }
  const [, prefix, hex = ''] = /^(dec|req)_([0-9a-f]{32})$/i.exec(text) ?? []
  if (prefix !== undefined)
    return { shape: prefix.toLowerCase() === 'dec' ? 'decision' : 'request', id: uuidOfHex(hex.toLowerCase()) }
  const bare = text.replaceAll('-', '')
  if (/^[0-9a-f]{32}$/i.test(bare)) return { shape: 'uuid', id: uuidOfHex(bare.toLowerCase()) }
  // the console shows ends of ids as …89abcdef
  const tail = text.replace(/^(ref\.?\s*:?|…|\.{3})/i, '').replaceAll(/\s/g, '')
  if (/^[0-9a-f]{8}$/i.test(tail)) return { shape: 'reference', tail: tail.toLowerCase(), text }
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return { shape: 'email', email: text.toLowerCase() }
  return { shape: 'name', text }
}
