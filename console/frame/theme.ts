import { useSyncExternalStore } from 'react'

export const THEMES = { auto: 'Follow the system', light: 'Light', dark: 'Dark' } as const

export type Theme = keyof typeof THEMES

const listeners = new Set<() => void>()

/** The theme chosen; `auto` follows the system. It lives in `data-theme`, set before the first paint by public/theme.js. */
export const useTheme = (): Theme => useSyncExternalStore(listen, chosen)

/** Applies a theme and saves it for the next visit. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem('tollgate.theme', theme)
  } catch {
    // Storage is blocked or full: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function chosen(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}
