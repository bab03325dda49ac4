import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { setZone, useZone, zoneName } from '../ui/text/zone.ts'
import { chooseTheme, THEMES, type Theme, useTheme } from './theme.ts'

const ICONS = { auto: Monitor, light: Sun, dark: Moon } as const satisfies Record<Theme, LucideIcon>

const SEGMENT = 'relative grid place-items-center rounded-[4px] transition-colors hover:text-ink'
/** Covers its segment, so that it is what is clicked and outlined. */
const RADIO = 'absolute inset-0 size-full cursor-pointer appearance-none rounded-[4px]'

/** Three radio buttons. */
export function ThemeSwitch() {
  const theme = useTheme()
  const name = useId()
  return (
    <fieldset className="flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">Theme</legend>
      {(Object.keys(THEMES) as Theme[]).map((value) => {
        const Icon = ICONS[value]
        return (
          <label
            key={value}
            title={THEMES[value]}
            className={`${SEGMENT} size-6.5 ${theme === value ? 'bg-line text-ink' : 'text-ink-2'}`}
          >
            <input
              type="radio"
              name={name}
              className={RADIO}
              value={value}
              checked={theme === value}
              onChange={() => chooseTheme(value)}
            />
            <Icon size={15} aria-hidden />
            <span className="sr-only">{THEMES[value]}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** The local zone, such as `UTC+1`, or what tells it from UTC. */
const localName = () => zoneName('local').replace(/^UTC$/, 'Local')

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
          className={`${SEGMENT} h-6.5 px-2 text-12 ${zone === value ? 'bg-line text-ink' : 'text-ink-2'}`}
        >
          <input
            type="radio"
            name={name}
            className={RADIO}
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
