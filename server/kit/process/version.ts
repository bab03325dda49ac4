import { readFileSync } from 'node:fs'

/** The version of this service, as in package.json of the working directory. */
export const VERSION = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version
