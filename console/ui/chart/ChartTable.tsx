import { useState } from 'react'
import { useZone } from '../text/zone.ts'
import { type ChartData, stepName } from './chartData.ts'

/** The values of a chart in figures, folded away; made only when it is opened, for a week has 168 hours. */
export function ChartTable({
  label,
  data: { times, step, series },
  format,
  onPick,
}: {
  label: string
  data: ChartData
  format: (value: number) => string
  onPick?: ((range: { from: number; to: number }) => void) | undefined
}) {
  const zone = useZone()
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="text-12">
      <summary className="w-fit cursor-pointer rounded-xs text-ink-2 hover:text-ink">View as table</summary>
      {open && (
        <div className="mt-2 overflow-clip rounded-panel border border-line bg-surface">
          <table aria-label={label} className="w-full">
            <thead>
              <tr>
                {['From', ...series.map(({ name }) => name)].map((head, index) => (
                  <th
                    key={head}
                    scope="col"
                    className={`border-b border-line px-3 py-2 align-bottom font-medium text-ink-2 ${index === 0 ? 'text-left' : 'text-right'}`}
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row" className="px-3 py-1 text-left font-normal">
                    {onPick ? (
                      <button
                        type="button"
                        className="rounded-xs underline decoration-line-strong underline-offset-3 hover:decoration-ink"
                        onClick={() => onPick({ from: time, to: time + step })}
                      >
                        {stepName(time, step, zone)}
                      </button>
                    ) : (
                      stepName(time, step, zone)
                    )}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="px-3 py-1 text-right">
                      {values[index] == null ? '–' : format(values[index])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
