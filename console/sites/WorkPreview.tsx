import { whole } from '../ui/text/format.ts'
import { asCost, DEVICES, workRange } from './solveTimes.ts'

/** The solve time of a policy in seconds by device, updated while the policy is edited. */
export function WorkPreview(policy: Parameters<typeof workRange>[0]) {
  const valid = Number.isFinite(policy.baseWork) && policy.baseWork > 0
  const { usual, most } = workRange(policy)
  const cost = (work: number, hashesPerSecond: number) => (valid ? asCost(work / hashesPerSecond) : '–')
  return (
    <figure className="overflow-clip rounded-panel border border-line">
      <table className="w-full text-13">
        <caption className="border-b border-line px-4 py-2 text-left text-12 text-ink-2">
          Average solve time. One in twenty visitors takes a third longer.
        </caption>
        <thead className="text-left text-12 text-ink-2">
          <tr className="border-b border-line">
            <th scope="col" className="px-4 py-2 font-medium">
              Device
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
              Usually
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
              At most
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {DEVICES.map(({ name, note, hashesPerSecond }) => (
            <tr key={name}>
              <th scope="row" className="px-4 py-2 text-left font-normal">
                {name} <span className="text-12 text-ink-2 max-sm:block">{note}</span>
              </th>
              <td className="px-4 py-2 text-right whitespace-nowrap">{cost(usual, hashesPerSecond)}</td>
              <td className="px-4 py-2 text-right whitespace-nowrap">{cost(most, hashesPerSecond)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="border-t border-line px-4 py-2 text-12 text-ink-2">
        {valid && `${whole(usual)} hashes usually, ${whole(most)} at most. `}Visitors with a grant skip it.
      </figcaption>
    </figure>
  )
}
