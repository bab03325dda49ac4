import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'

const THEMES = [
  { value: 'auto', label: 'Follow the system', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const

type Theme = (typeof THEMES)[number]['value']

/** Three radio buttons. The choice lives in `data-theme` and, for the next visit, in storage (see public/theme.js). */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(shownTheme)
  return (
    <fieldset className="flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, Icon }) => (
        <label
          key={value}
          title={label}
          className="grid size-7 cursor-pointer place-items-center rounded-control text-ink-2 transition-colors hover:text-ink has-checked:bg-ink has-checked:text-bg has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            value={value}
            checked={theme === value}
            onChange={() => {
              setTheme(value)
              showTheme(value)
              keepTheme(value)
            }}
          />
          <Icon size={15} aria-hidden />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

function shownTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem('tollgate.theme', theme)
  } catch {
    // Storage is blocked or full: the choice lasts as long as the page.
  }
}
