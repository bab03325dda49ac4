/** Characters of a value, in any encoding, that must not be found. */
const LENGTH = 12

/** Each piece with the encoding in which it is a part of a value. */
export type Pieces = ReadonlyMap<string, string>

/** A value and whom it belongs to: two values of one owner may differ in a signature only. */
export type Owned = readonly [value: string, owner: unknown]

type Encoding = readonly [name: string, encode: (value: string) => string[]]

const PLAIN: Encoding = ['as it is', (value) => [value]]
const ENCODINGS: readonly Encoding[] = [
  PLAIN,
  ['encoded for a URL', (value) => [encodeURIComponent(value)]],
  ['decoded from a URL', decodeUrl],
  ['escaped for JSON', (value) => [JSON.stringify(value).slice(1, -1), value.replaceAll('/', '\\/')]],
  ['in hexadecimal', inHex],
  ['in Base64', inBase64],
]

/**
 * Every 12 characters in a row of the values, in every encoding. What the values of two owners, or `known`, have in common
 * gives nothing away and is left out.
 */
export function piecesOf(values: Iterable<Owned>, known: Iterable<string> = [], encodings = ENCODINGS): Pieces {
  const found = new Map<string, { encoding: string; owner: unknown }>()
  const common = new Set<string>()
  for (const [value, owner] of values)
    for (const [encoding, encode] of encodings)
      for (const text of encode(value))
        for (let at = 0; at + LENGTH <= text.length; at++) {
          const piece = text.slice(at, at + LENGTH)
          const first = found.get(piece)
          if (!first) found.set(piece, { encoding, owner })
          else if (first.owner !== owner) common.add(piece)
        }
  const isSecret = (piece: string) => !common.has(piece) && ![...known].some((text) => text.includes(piece))
  return new Map([...found].flatMap(([piece, { encoding }]) => (isSecret(piece) ? [[piece, encoding] as const] : [])))
}

/** Where the first piece begins in the text, and its encoding. */
export function findPiece(text: string, pieces: Pieces): { at: number; encoding: string } | undefined {
  for (let at = 0; at + LENGTH <= text.length; at++) {
    const encoding = pieces.get(text.slice(at, at + LENGTH))
    if (encoding !== undefined) return { at, encoding }
  }
  return undefined
}

/** The text with dots in place of the values as they are. */
export function maskValues(text: string, values: Iterable<string>): string {
  const pieces = piecesOf(
    [...values].map((value) => [value, 'one'] as const),
    [],
    [PLAIN],
  )
  let masked = ''
  let hiddenTo = 0
  for (let at = 0; at < text.length; at++) {
    if (pieces.has(text.slice(at, at + LENGTH))) {
      if (hiddenTo <= at) masked += '…'
      hiddenTo = at + LENGTH
    }
    if (at >= hiddenTo) masked += text[at]
  }
  return masked
}

function decodeUrl(value: string): string[] {
  try {
    return [decodeURIComponent(value)]
  } catch {
    return []
  }
}

function inHex(value: string): string[] {
  const hex = Buffer.from(value).toString('hex')
  return [hex, hex.toUpperCase()]
}

/** By itself or as a part of a longer text, whose bytes before it shift it. */
function inBase64(value: string): string[] {
  return (['base64', 'base64url'] as const).flatMap((alphabet) =>
    [0, 2, 3].map((unknown, shift) =>
      Buffer.from(' '.repeat(shift) + value)
        .toString(alphabet)
        .replace(/=+$/, '')
        .slice(unknown),
    ),
  )
}
