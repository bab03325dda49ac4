import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of Linux's /proc: fixed in its interface. */
const TICKS = 100
const NANOSECONDS = 1e9

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // the process has ended meanwhile
    return ''
  }
}

/** The fields of /proc/PID/stat after the name, which may contain spaces: state, parent, … */
function stat(pid: string): number[] {
  const text = read(`/proc/${pid}/stat`)
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/** Nanoseconds on a CPU of all threads. In ticks, the time of a thousand requests is only known to a tenth. */
function nanoseconds(pid: string): number {
  let threads: string[] = []
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return 0
  }
  return threads.reduce((sum, thread) => sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]), 0)
}

/** A process and all that it and its children have started. */
function family(root: number): string[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map((entry) => [entry, String(stat(entry)[1])]),
  )
  const isOwn = (pid: string | undefined): boolean => pid === String(root) || (!!pid && isOwn(parents.get(pid)))
  return [...parents.keys()].filter(isOwn)
}

/** CPU seconds that the processes of a family have used so far, children that have ended included. Linux only. */
export function cpuSeconds(root: number): number {
  const own = family(root)
  const [ended = 0, endedInKernel = 0] = stat(String(root)).slice(13, 15)
  return own.reduce((sum, pid) => sum + nanoseconds(pid), 0) / NANOSECONDS + (ended + endedInKernel) / TICKS
}

/** The memory of a process now, and the most that it has had, in MB. Linux only. */
export function memory(pid: number): { resident: number; most: number } {
  const text = read(`/proc/${pid}/status`)
  const field = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024)
  return { resident: field('VmRSS'), most: field('VmHWM') }
}
