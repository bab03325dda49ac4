// Judges the settings of the environment by the sources, for `npm start`, before anything is built.
import { readConfig } from '../server/kit/config/config.ts'

try {
  readConfig(process.env)
} catch (error) {
  console.error(`\nTollgate did not start.\n\n${(error as Error).message}\n`)
  process.exitCode = 1
}
