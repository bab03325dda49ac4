import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'

/** The text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The environment variables to print before a command, so that it uses the same data in another
 * terminal: empty, or settings that end with a space. The values of secrets are left out.
 */
export function settingsFor({ databaseUrl, keys, dataDir }: Pick<Config, 'databaseUrl' | 'keys' | 'dataDir'>): string {
  const secrets = `${databaseUrl === undefined ? '' : 'DATABASE_URL=… '}${keys === undefined ? '' : 'TOLLGATE_KEYS=… '}`
  return `${secrets}${dataDir === resolve('.data') ? '' : `DATA_DIR=${shellWord(dataDir)} `}`
}
