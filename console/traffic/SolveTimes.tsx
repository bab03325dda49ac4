import { whole } from '../ui/text/format.ts'
import type { UsageSeries } from './useSeries.ts'
import { duration } from './words.ts'

const DEVICES = { all: 'All', desktop: 'Desktops', mobile: 'Phones and tablets' } as const

/** Solve times by device. */
export function SolveTimes({ times }: { times: UsageSeries['solveTime'] }) {
  return (
    <table aria-label="Solve time by device" className="w-full max-w-160 text-13">
      <thead>
        <tr className="border-b border-line text-12 text-ink-2">
          {['Device', 'Median', '95th percentile', 'Solved'].map((head, index) => (
            <th key={head} scope="col" className={`py-2 font-medium ${index === 0 ? 'text-left' : 'text-right'}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {Object.entries(DEVICES).map(([device, name]) => {
          const { n, p50, p95 } = times[device as keyof typeof DEVICES]
          return (
            <tr key={device}>
              <th scope="row" className="py-2 text-left font-normal">
                {name}
              </th>
              <td className="py-2 text-right">{p50 === null ? '–' : duration(p50)}</td>
              <td className="py-2 text-right">{p95 === null ? '–' : duration(p95)}</td>
              <td className="py-2 text-right">{whole(n)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
