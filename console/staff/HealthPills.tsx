import { Pill } from '../ui/text/Pill.tsx'
import type { Anomaly } from './api.ts'
import { ANOMALY_WORDS } from './words.ts'

/** A pill for each problem of a tenant, or "Healthy". */
export function HealthPills({ anomalies, suspended }: { anomalies: readonly Anomaly[]; suspended: boolean }) {
  if (!suspended && anomalies.length === 0) return <Pill tone="pass">Healthy</Pill>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {suspended && <Pill tone="block">Suspended</Pill>}
      {anomalies.map(({ code, value }) => (
        <Pill key={code} tone={ANOMALY_WORDS[code].tone}>
          {ANOMALY_WORDS[code].brief(value)}
        </Pill>
      ))}
    </span>
  )
}
