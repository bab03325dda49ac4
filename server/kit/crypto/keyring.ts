import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { SealingKey } from '../config/settingKinds.ts'
import { OperatorError } from '../error.ts'
import { createHmac, type Hmac } from './hmac.ts'

/** `hmac`: HMAC-SHA-256 with the key. */
type RingKey = SealingKey & { hmac: Hmac }

/** The keys that seal challenges and tokens: the first seals, all open. Also the key of keyed hashes. */
export type Keyring = { current: RingKey; byId: ReadonlyMap<string, RingKey> }

/** Backups have fingerprints with this label. */
const FINGERPRINT_LABEL = Buffer.from('backup\0')

/** Tells whether two keys are the same, and nothing else about them. */
export const fingerprintOf = ({ hmac }: RingKey): string =>
  Buffer.from(hmac(FINGERPRINT_LABEL, Buffer.alloc(0)), 'latin1').toString('hex')

export function createKeyring(keys: readonly SealingKey[]): Keyring {
  const [current, ...others] = keys.map((key) => ({ ...key, hmac: createHmac(key.key) }))
  if (!current) throw new Error('a keyring needs a key')
  return { current, byId: new Map([current, ...others].map((key) => [key.id, key])) }
}

/**
 * The configured keys, or those of DATA_DIR, created at the first start and kept, so that tokens survive a restart. A created key has
 * a new id, because a database may know another key by the id of a lost one.
 */
export function loadKeyring(config: Config): Keyring {
  if (config.keys) return createKeyring(config.keys)
  const file = join(config.dataDir, 'keys.json')
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true })
    const staging = `${file}.${process.pid}`
    const created = { id: `k${randomBytes(4).toString('hex')}`, key: randomBytes(32).toString('base64url') }
    writeFileSync(staging, JSON.stringify([created]), { mode: 0o600 })
    try {
      // link, unlike rename, does not replace: of two first starts both use the same keys
      linkSync(staging, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(staging)
    }
  }
  return createKeyring(readKeys(file))
}

function readKeys(file: string): SealingKey[] {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { id: string; key: string }[]
    return stored.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') }))
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause
    // its text may be a part of a key
    throw new OperatorError(
      `${file} is damaged, so tokens that were issued cannot be opened. Restore it from a backup, or delete it: then a new key is created.`,
    )
  }
}
