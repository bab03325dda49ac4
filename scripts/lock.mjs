// One process at a time installs or builds in a clone: `npm start` and `npm test` may be called in two terminals, and two
// that write the same files make each other fail.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
/** Longer than an installation takes: the id of a process that was killed may since belong to another one. */
const ABANDONED_MS = 15 * 60 * 1000

let isHeld = false

/**
 * Runs `work` while no other process holds the lock, a file with the id of its process. Waits for another one, which may do the
 * same, so `work` has to look again whether there is something to do.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work it may call this function again
 * @returns {Promise<T>}
 */
export async function locked(file, work) {
  if (isHeld) return work()
  mkdirSync(dirname(file), { recursive: true })
  for (let isTold = false; !take(file); isTold = true) {
    if (!isTold) console.error(`Waiting for another process, which installs or builds in this folder (${file}) …`)
    await sleep(POLL_MS)
  }
  isHeld = true
  // also if `work` ends the process
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    isHeld = false
    process.off('exit', release)
    release()
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned(file)) removeAbandoned(file)
    return false
  }
}

/**
 * Another process may have removed the file and taken the lock since it was looked at: then it is put back.
 * @param {string} file
 */
function removeAbandoned(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (!isAbandoned(aside)) linkSync(aside, file)
  } catch (error) {
    // another process has removed it first, or has taken the lock meanwhile
    if (!['ENOENT', 'EEXIST'].includes(error.code)) throw error
  }
  rmSync(aside, { force: true })
}

/** @param {string} file */
function isAbandoned(file) {
  try {
    // an empty file is one that is being written
    const pid = Number(readFileSync(file, 'utf8'))
    return Date.now() - statSync(file).mtimeMs > ABANDONED_MS || (pid > 0 && !isRunning(pid))
  } catch {
    return false
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
