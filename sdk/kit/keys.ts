import { readVectors } from '../testing/vectors.ts'

export type Keys = { sitekey: string; secret: string }

/** The published test keys that simulate a failure of the service. */
export type Behaviour = 'spent' | 'expired' | 'quota' | 'limit' | 'down'

/** A published test key by its name: `pass`, `spent`, … */
export function testKeys(name: string): Keys {
  const keys = readVectors('testKeys')[name]
  if (!keys) throw new Error(`no test key ${name}`)
  return keys
}
