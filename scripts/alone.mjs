// One process at a time installs or builds in a clone: `npm start` and `npm test` may be called in two terminals, and two
// that write the same files make each other fail.
import { execFileSync } from 'node:child_process'
import { appendFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
/** Two that find the owner gone write one after the other, and the one that wrote last has it. */
const SETTLE_MS = 500

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** The file that says that this process works, while it does: a line for itself, and one for each program that it has started. */
let held = ''
/** Of the programs that it has started. @type {Set<number>} */
const children = new Set()

/**
 * Runs `work` while no other process runs one in this clone. Waits for another, and says so. What it does may be done by then,
 * so `work` looks again. If another was killed, ends the programs that it has left running. At a signal, this process ends with its
 * programs, and the next one finds what is incomplete.
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} work it may call this function again
 * @returns {Promise<T>}
 */
export async function alone(root, work) {
  if (held !== '') return work()
  const file = join(root, '.builds/in-use-by')
  mkdirSync(join(root, '.builds'), { recursive: true })
  let isTold = false
  while (!(await take(file))) {
    const [owner] = linesOf(file)
    if (!isTold && owner !== undefined) {
      console.error(`Waiting for process ${owner.split(' ')[0]}, which installs or builds in this folder …`)
      isTold = true
    }
    await sleep(POLL_MS)
  }
  held = file
  for (const signal of SIGNALS) process.on(signal, endAll)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, endAll)
    held = ''
    rmSync(file, { force: true })
  }
}

/** Whether this process works alone in the clone. A program that it starts then has a group of its own, and is noted. */
export const isAlone = () => held !== ''

/**
 * Notes a program that this process has started in a group of its own, so that it ends with this process, or before the next one.
 * @param {import('node:child_process').ChildProcess} child
 */
export function note(child) {
  const { pid } = child
  if (held === '' || pid === undefined) return
  children.add(pid)
  child.once('exit', () => children.delete(pid))
  const identity = identify(pid)
  if (identity !== undefined && linesOf(held).length > 0) appendFileSync(held, `\n${identity}`)
}

/** Ends the programs, and this process as the signal would have. @param {NodeJS.Signals} signal */
function endAll(signal) {
  for (const pid of children) killGroup(pid)
  process.off(signal, endAll)
  process.kill(process.pid, signal)
}

/** @param {number} pid */
function killGroup(pid) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/** @param {string} file */
async function take(file) {
  const own = `${file}-${process.pid}`
  writeFileSync(own, identify(process.pid) ?? '')
  try {
    // in one step with its content
    linkSync(own, file)
    return true
  } catch (error) {
    // some file systems have no links: there, nobody waits for anybody
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return true
    const [owner, ...programs] = linesOf(file)
    if (owner === undefined || isThere(owner)) return false
    for (const program of programs.filter(isThere)) killGroup(Number(program.split(' ')[0]))
    while (programs.some(isThere)) await sleep(POLL_MS)
    renameSync(own, file)
    await sleep(SETTLE_MS)
    if (linesOf(file)[0] !== identify(process.pid)) return false
    console.error('An installation or a build in this folder was interrupted: what is incomplete is done again.')
    return true
  } finally {
    rmSync(own, { force: true })
  }
}

/** The process that has it, and the programs that it has started; empty if none has. @param {string} file */
function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** @param {string} identity as identify has returned it */
const isThere = (identity) => identify(Number(identity.split(' ')[0])) === identity

/**
 * A process by its id and when it has begun: ids are used again, after a restart of the machine or in a container soon. Undefined if
 * there is none.
 * @param {number} pid
 */
function identify(pid) {
  if (!isRunning(pid)) return undefined
  try {
    if (process.platform === 'win32') return `${pid} ?`
    if (process.platform !== 'linux')
      return `${pid} ${execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()}`
    // what follows the name, which is in parentheses: the state first, and the time of the start as the 20th
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return facts[0] === 'Z' ? undefined : `${pid} ${facts[19]}`
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
