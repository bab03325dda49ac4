/** The command of a Python ≥ 3.9; undefined if there is none. */
export function findPython(): string | undefined
/** The command of a Python ≥ 3.9 that has Flask, Django and psycopg; undefined if there is none. */
export function findFrameworkPython(): string | undefined
