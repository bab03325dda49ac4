/** Path of a browser, installed if there is none; undefined if Playwright's own is used. */
export function ensureBrowser(): Promise<string | undefined>
