import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'

/** The text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The environment variables to print before a command, so that it uses the same data in another
 * terminal: empty, or settings that end with a space. DATABASE_URL contains a password and is left out.
 */
export function settingsFor({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  const database = databaseUrl === undefined ? '' : 'DATABASE_URL=… '
  return `${database}${dataDir === resolve('.data') ? '' : `DATA_DIR=${shellWord(dataDir)} `}`
}
