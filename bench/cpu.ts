import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of Linux's /proc: fixed in its interface. */
const TICKS = 100

function stat(pid: number | string): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // parent, and own and reaped children's user and system time
    return { parent: fields[1] ?? 0, ticks: [11, 12, 13, 14].reduce((sum, i) => sum + (fields[i] ?? 0), 0) }
  } catch {
    return undefined
  }
}

/** CPU seconds that a process and its children have used so far. Linux only. */
export function cpuSeconds(root: number): number {
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const found = stat(entry)
    if (found && (Number(entry) === root || found.parent === root)) ticks += found.ticks
  }
  return ticks / TICKS
}
