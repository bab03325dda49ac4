/** Takes what `needed` does not contain out of node_modules. Returns what remains and what was removed, as paths. */
export function prune(folder: string, needed: ReadonlySet<string>): { kept: string[]; removed: string[] }

/** Deletes what `prune` has taken out. */
export function deleteRemoved(folder: string): Promise<void>
