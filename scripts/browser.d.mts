/** Path of a browser, installed if there is none; undefined where Playwright's own is used. */
export function ensureBrowser(): Promise<string | undefined>
