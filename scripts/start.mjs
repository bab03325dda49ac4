// npm start: from a fresh clone to a running service. Invalid settings are reported before anything is installed,
// built or removed.
import { spawnSync } from 'node:child_process'
import { explainPort, tryPorts } from '../server/kit/process/ports.mjs'
import { bootstrap, isBuilt, pruneInstalled, refuseOldNode, root } from './bootstrap.mjs'

const { env } = process

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(`\nTollgate did not start.\n\n${message}\n`)
  process.exit(1)
}

/** The ports as server/kit/config/config.ts reads them; what is no number is judged with the other settings. */
async function refuseTakenPorts() {
  const demo = (env.DEMO || (env.NODE_ENV || env.DATABASE_URL ? 'off' : 'on')) === 'on'
  const [port, shopPort] = [env.PORT || '3000', env.SHOP_PORT || '3001'].map((text) =>
    /^\d{1,5}$/.test(text) && Number(text) < 65_536 ? Number(text) : 0,
  )
  const host = env.HOST || (env.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1')
  try {
    await tryPorts({ host, port, shopPort: demo ? shopPort : undefined })
  } catch (error) {
    const hasSecrets = env.NODE_ENV === 'production' || env.DATABASE_URL || env.TOLLGATE_KEYS
    const settings = hasSecrets ? undefined : env.DATA_DIR ? `DATA_DIR='${env.DATA_DIR}' ` : ''
    const sentence = explainPort(error, { shopPort, settings })
    if (sentence !== undefined) refuse(sentence)
  }
}

let isJudged = false

/**
 * Ends the process if a setting is invalid. The rules are those of the build, or before a build their sources. Both need packages:
 * a clone without them is judged after the installation.
 */
function judgeSettings() {
  if (isJudged) return
  const rules = isBuilt()
    ? ['scripts/judge.mjs', 'dist/server/kit/config/config.js']
    : ['--import', 'tsx', 'scripts/judge.mjs', 'server/kit/config/config.ts']
  const { status, stderr } = spawnSync(process.execPath, rules, { cwd: root, encoding: 'utf8' })
  if (status === 2) refuse(stderr.trim())
  isJudged = status === 0
}

refuseOldNode()
await refuseTakenPorts()
judgeSettings()
await bootstrap([], judgeSettings)
judgeSettings()
if (isJudged && env.NODE_ENV === 'production') await pruneInstalled()
console.error('Starting …')
await import('../dist/server/main.js')
