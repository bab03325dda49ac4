import { SETTINGS, type Setting } from './environment.ts'

/** Of the SDKs and of the demo shop, which read the same environment on a developer's machine. */
const OF_OTHERS = new Set(['TOLLGATE_URL', 'TOLLGATE_API_URL', 'TOLLGATE_SITEKEY', 'TOLLGATE_SECRET'])

/** The letters and digits of a name, as if in capitals: what is left of `export node-env`, or of a name behind a byte order mark. */
const lettersOf = (name: string): string =>
  name
    .replace(/^\W*export\s+/i, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

/** `TRUSTEDPROXY` for `TRUSTEDPROXIES`. */
const singular = (letters: string): string => letters.replace(/IES$/, 'Y')

const NAMES = Object.keys(SETTINGS).map((name) => ({ name, letters: lettersOf(name) }))

/** Whether one text becomes the other by at most so many letters more, less, changed or exchanged with the next. */
function isNear(a: string, b: string, most: number): boolean {
  if (a === b) return true
  if (most === 0 || Math.abs(a.length - b.length) > most) return false
  let at = 0
  while (a[at] === b[at]) at++
  const [x, y] = [a.slice(at), b.slice(at)]
  return (
    isNear(x.slice(1), y, most - 1) ||
    isNear(x, y.slice(1), most - 1) ||
    isNear(x.slice(1), y.slice(1), most - 1) ||
    (x[0] === y[1] && x[1] === y[0] && isNear(x.slice(2), y.slice(2), most - 1))
  )
}

/** How many letters may differ: short names have too many neighbours that mean something else. */
const tolerance = ({ length }: string): number => (length < 6 ? 0 : length < 12 ? 1 : 2)

/** The setting that the name, which is none, resembles. */
function resembled(name: string): string | undefined {
  if (Object.hasOwn(SETTINGS, name) || OF_OTHERS.has(name)) return undefined
  const letters = lettersOf(name)
  const bare = letters.replace(/^TOLLGATE/, '')
  return NAMES.find(
    (known) =>
      known.letters === letters ||
      known.letters === bare ||
      isNear(singular(letters), singular(known.letters), tolerance(letters)),
  )?.name
}

/**
 * The names that are no settings and resemble one. They are refused where the setting that was probably meant is not set and the
 * service would be less safe without it, and where no other program can have such a name.
 */
export function resemblances(
  names: readonly string[],
  isSet: (name: string) => boolean,
  isDemo: boolean,
): { refused: string[]; warnings: string[] } {
  const refused: string[] = []
  const warnings: string[] = []
  for (const name of names) {
    const meant = resembled(name)
    if (meant === undefined) continue
    const text = JSON.stringify(name).replace(/[^ -~]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const isOdd = /\W/.test(name)
    const { guard }: Setting = SETTINGS[meant as keyof typeof SETTINGS]
    if (isOdd || (guard && !isDemo && !isSet(meant)))
      refused.push(`${isOdd ? text : name}: is not a setting. Rename it to ${meant}, or remove it`)
    else warnings.push(`${name} is not a setting. Did you mean ${meant}?`)
  }
  return { refused, warnings }
}
