// One process at a time installs or builds in a clone: `npm start` and `npm test` may be called in two terminals, and two
// that write the same files make each other fail.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
/** Two that find the owner gone write one after the other, and the one that wrote last has it. */
const SETTLE_MS = 500

let isHeld = false

/**
 * Runs `work` while no other process runs one in this clone. Waits for another, and says so. What it does may be done by then,
 * so `work` looks again.
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} work it may call this function again
 * @returns {Promise<T>}
 */
export async function alone(root, work) {
  if (isHeld) return work()
  const file = join(root, '.builds/in-use-by')
  mkdirSync(join(root, '.builds'), { recursive: true })
  let isTold = false
  while (!(await take(file))) {
    const owner = ownerOf(file)
    if (!isTold && owner !== undefined) {
      console.error(`Waiting for process ${owner}, which installs or builds in this folder …`)
      isTold = true
    }
    await sleep(POLL_MS)
  }
  isHeld = true
  try {
    return await work()
  } finally {
    isHeld = false
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
async function take(file) {
  const own = `${file}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    // in one step with its content
    linkSync(own, file)
    return true
  } catch (error) {
    // some file systems have no links: there, nobody waits for anybody
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return true
    const owner = ownerOf(file)
    if (owner === undefined || isRunning(owner)) return false
    renameSync(own, file)
    await sleep(SETTLE_MS)
    return ownerOf(file) === process.pid
  } finally {
    rmSync(own, { force: true })
  }
}

/** The process that has it; undefined if none has. @param {string} file */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {number} pid */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
