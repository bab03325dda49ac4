/** The command of a Python ≥ 3.9; undefined where there is none. */
export function findPython(): string | undefined
