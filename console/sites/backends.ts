import { type Language, SDKS } from '../../server/contract/languages.ts'

/** What a backend uses: a language, or WordPress with its plugin. */
export type Backend = Language | 'wordpress'
export const BACKENDS: Record<Backend, string> = { ...SDKS, wordpress: 'WordPress', curl: 'curl' }

const KEY = 'tollgate.backend'

/** What was chosen last in this browser; Node at first. */
export function rememberedBackend(): Backend {
  try {
    return Object.keys(BACKENDS).find((known): known is Backend => known === localStorage.getItem(KEY)) ?? 'node'
  } catch {
    return 'node'
  }
}

/** Keeps the choice for later pages of this browser. */
export function rememberBackend(backend: Backend): void {
  try {
    localStorage.setItem(KEY, backend)
  } catch {
    // for this page only
  }
}
