// Judges the settings of the environment, for `npm start`: by the rules of the file that is its argument. Exits with 2 if one is invalid.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { readConfig } = await import(pathToFileURL(resolve(process.argv[2] ?? '')).href)
try {
  readConfig(process.env)
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
