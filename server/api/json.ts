import { AppError } from '../kit/error.ts'
import { ENDPOINTS } from './endpoints.ts'

const MAX_DEPTH = 8
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses one JSON document of valid UTF-8, nested at most 8 levels deep, without duplicate names. Throws `bad-request`.
 * JSON.parse alone would keep the last of two equal names, so that a proxy and the service could read different requests.
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown
  let text: string
  try {
    text = decoder.decode(bytes)
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-request', { cause: cause instanceof SyntaxError ? undefined : cause })
  }
  if (!isPlain(text)) throw new AppError('bad-request')
  return value
}

/** Index just past the string that begins at `start`. The text is known to be valid JSON. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5c) i++
    else if (code === 0x22) return i + 1
  }
}

/** Whether valid JSON is nested at most 8 levels deep and no object has a duplicate name. */
function isPlain(text: string): boolean {
  const open: (Set<string> | null)[] = []
  let nameExpected = false
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
      case 0x5b: // [
        nameExpected = text.charCodeAt(i) === 0x7b
        open.push(nameExpected ? new Set() : null)
        if (open.length > MAX_DEPTH) return false
        break
      case 0x7d: // }
      case 0x5d: // ]
        open.pop()
        nameExpected = false
        break
      case 0x2c: // ,
        nameExpected = open.at(-1) instanceof Set
        break
      case 0x22: {
        const end = endOfString(text, i)
        const names = open.at(-1)
        if (nameExpected && names) {
          const raw = text.slice(i, end)
          const name = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
          if (names.has(name)) return false
          names.add(name)
          nameExpected = false
        }
        i = end - 1
        break
      }
      default:
    }
  }
  return true
}

const SECRET_NAMES = new Set(['secret', 'secretkey', 'apisecret', 'apikey'])
const SECRET_SHAPE = /tg_secret_[0-9A-Za-z]{49}/

/** Whether a parsed document contains a secret key, or a member with such a name, at any depth. */
export function carriesSecret(value: unknown): boolean {
  if (typeof value === 'string') return SECRET_SHAPE.test(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(carriesSecret)
  return Object.entries(value).some(
    ([name, inner]) => (!HARMLESS_NAMES.has(name) && isSecretName(name)) || carriesSecret(inner),
  )
}

const isSecretName = (name: string): boolean =>
  SECRET_NAMES.has(name.replace(/[-_]/g, '').toLowerCase()) || SECRET_SHAPE.test(name)

/** The fields of the API: almost all names that are sent. */
const HARMLESS_NAMES = new Set(
  Object.values(ENDPOINTS)
    .flatMap(({ request }) => Object.keys(request.shape))
    .filter((name) => !isSecretName(name)),
)
