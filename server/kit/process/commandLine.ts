import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'

/** The text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

type Settings = Pick<Config, 'production' | 'databaseUrl' | 'keys' | 'dataDir' | 'port' | 'publicUrl'>

/**
 * The environment variables to print before `npm start`, so that it uses the same data in another terminal: empty, or settings that
 * end with a space. Undefined in production and if secrets are among the settings: they belong in a file, because a command line is
 * kept in the shell's history.
 */
export function settingsFor({
  production,
  databaseUrl,
  keys,
  dataDir,
}: Omit<Settings, 'port' | 'publicUrl'>): string | undefined {
  if (production || databaseUrl !== undefined || keys !== undefined) return undefined
  return dataDir === resolve('.data') ? '' : `DATA_DIR=${shellWord(dataDir)} `
}

/** The command line of a deployment, whose settings are in a file. */
export const DEPLOYED = 'node --env-file=FILE dist/server/cli.js'
/** The command line of a clone. */
export const CLONED = 'npm run tollgate --'

/** What to type before the words of a command, so that it uses the data of the service and prints its address. */
export function commandFor(config: Settings): string {
  const { port, publicUrl } = config
  const settings = settingsFor(config)
  if (settings === undefined) return DEPLOYED
  const ofPort = `http://localhost:${port}`
  const address = publicUrl === ofPort ? (port === 3000 ? '' : `PORT=${port} `) : `PUBLIC_URL=${shellWord(publicUrl)} `
  return `${settings}${address}${CLONED}`
}
