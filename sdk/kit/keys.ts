import { readFileSync } from 'node:fs'

export type Keys = { sitekey: string; secret: string }

const published = JSON.parse(readFileSync(new URL('../vectors/testKeys.json', import.meta.url), 'utf8')) as Record<
  string,
  Keys
>

/** The published test keys that simulate a failure of the service. */
export type Behaviour = 'spent' | 'expired' | 'quota' | 'limit' | 'down'

/** A published test key by its name: `pass`, `spent`, … */
export function testKeys(name: string): Keys {
  const keys = published[name]
  if (!keys) throw new Error(`no test key ${name}`)
  return keys
}
