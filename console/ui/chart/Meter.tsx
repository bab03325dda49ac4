import { Meter as Base } from '@base-ui/react/meter'
import { percent } from '../text/format.ts'

/** How much of a limit is used: a bar and a percentage. The bar changes its colour at 90% and 100%. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max > 0 ? value / max : 0
  return (
    <Base.Root value={Math.min(share, 1)} max={1} getAriaValueText={() => percent(share)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-12 text-ink-2">
        <Base.Label>{label}</Base.Label>
        <span aria-hidden>{percent(share)}</span>
      </div>
      <Base.Track className="h-1.5 overflow-hidden rounded-full bg-line">
        <Base.Indicator
          className={`block h-full rounded-full transition-[width] ${share >= 1 ? 'bg-block' : share >= 0.9 ? 'bg-challenge' : 'bg-brand'}`}
        />
      </Base.Track>
    </Base.Root>
  )
}
