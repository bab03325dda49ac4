/** The command of a PHP ≥ 8.1 with these extensions; undefined if there is none. */
export function findPhp(extensions?: string[]): string | undefined
