// npm start: from a fresh clone to a running service. What may be wrong is said before anything is installed, built or created.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { explainPort, tryPorts } from '../server/kit/process/ports.mjs'
import { bootstrap, pruneInstalled, refuseOldNode, root } from './bootstrap.mjs'

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
    const settings = `${env.DATABASE_URL ? 'DATABASE_URL=… ' : ''}${env.DATA_DIR ? `DATA_DIR='${env.DATA_DIR}' ` : ''}`
    const sentence = explainPort(error, { shopPort, settings })
    if (sentence !== undefined) refuse(sentence)
  }
}

/** By their sources, before a build: the rules need packages, so that a fresh clone installs first. */
function judgeSettings() {
  const program = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/judge.ts')]
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

refuseOldNode()
await refuseTakenPorts()
await bootstrap([], judgeSettings)
if (env.NODE_ENV === 'production') await pruneInstalled()
console.error('Starting …')
await import('../dist/server/main.js')
