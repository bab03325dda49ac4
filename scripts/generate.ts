/**
 * Writes the files that are generated and committed: docs/errors.md, the tables of settings, of a site's policy and of roles,
 * .env.example and the names in the schema of the Helm chart's values, the SDKs' messages, the schema of the state file, the modules of
 * pow-hashwx, the texts of the plugin for WordPress, and the version where it stands besides package.json.
 *
 *   tsx scripts/generate.ts          writes them
 *   tsx scripts/generate.ts check    fails if one is stale
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { errorsFile } from './errors.ts'
import { hashwxFiles } from './hashwx.ts'
import { messagesFiles } from './messages.ts'
import { policyFile } from './policy.ts'
import { potFile } from './pot.ts'
import { rolesFile } from './roles.ts'
import { settingsFiles } from './settings.ts'
import { stateSchemaFile } from './stateSchema.ts'
import { versionFiles } from './versions.ts'

const [command] = process.argv.slice(2)
const files = {
  ...errorsFile(),
  ...settingsFiles(),
  ...policyFile(),
  ...rolesFile(),
  ...messagesFiles(),
  ...stateSchemaFile(),
  ...versionFiles(),
  ...potFile(),
  ...(await hashwxFiles()),
}
const stale = Object.entries(files).filter(([path, text]) => readFileSync(path, 'utf8') !== text)
if (command !== 'check') for (const [path, text] of stale) writeFileSync(path, text)
if (stale.length > 0) {
  const paths = stale.map(([path]) => path).join(', ')
  console.error(command === 'check' ? `${paths}: stale. Write with: npx tsx scripts/generate.ts` : `wrote ${paths}`)
  if (command === 'check') process.exitCode = 1
}
