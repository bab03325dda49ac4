import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { setZone, useZone, zoneOffset } from '../ui/text/zone.ts'
import { chooseTheme, useTheme } from './theme.ts'

const THEMES = [
  { value: 'auto', label: 'Follow the system', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Three radio buttons. */
export function ThemeSwitch() {
  const theme = useTheme()
  const name = useId()
  return (
    <fieldset className="flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, Icon }) => (
        <label
          key={value}
          title={label}
          className="grid size-6.5 cursor-pointer place-items-center rounded-[4px] text-ink-2 transition-colors hover:text-ink has-checked:bg-line has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            value={value}
            checked={theme === value}
            onChange={() => chooseTheme(value)}
          />
          <Icon size={15} aria-hidden />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The local zone by its offset, so that it can be told from UTC: `GMT+1`. */
const localName = () => zoneOffset('local').replace(/^UTC$/, 'Local')

/** Chooses the time zone in which times are shown. */
export function ZoneSwitch() {
  const zone = useZone()
  const name = useId()
  return (
    <fieldset className="flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">Time zone</legend>
      {(['local', 'utc'] as const).map((value) => (
        <label
          key={value}
          className="grid h-6.5 cursor-pointer place-items-center rounded-[4px] px-2 text-12 text-ink-2 transition-colors hover:text-ink has-checked:bg-line has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            value={value}
            checked={zone === value}
            onChange={() => setZone(value)}
          />
          {value === 'utc' ? 'UTC' : localName()}
        </label>
      ))}
    </fieldset>
  )
}
