/** Path of a browser, installed if there is none; undefined if Playwright's own is used. */
export function ensureBrowser(): Promise<string | undefined>

/** Path of Debian's headless shell, which has no back/forward cache; undefined if it is not installed. */
export function findShell(): string | undefined
