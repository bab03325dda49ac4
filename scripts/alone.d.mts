/** Runs `work` while no other process runs one in this clone; waits for another. */
export function alone<T>(root: string, work: () => Promise<T>): Promise<T>
export function isRunning(pid: number): boolean
