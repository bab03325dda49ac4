import type { ChildProcess } from 'node:child_process'

/** Runs `work` while no other process runs one in this clone; waits for another. */
export function alone<T>(root: string, work: () => Promise<T>): Promise<T>
/** Whether this process works alone in the clone. */
export function isAlone(): boolean
/** Notes a program that this process has started in a group of its own. */
export function note(child: ChildProcess): void
export function isRunning(pid: number): boolean
