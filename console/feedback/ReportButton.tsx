import { Flag } from 'lucide-react'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { Button } from '../ui/form/Button.tsx'
import { ReportForm } from './ReportForm.tsx'

/** A decision that can be reported on. `id`: its intent's; `redeemedAt`: Unix seconds; `latest`: its latest revision. */
export type Reportable = {
  id: string
  redeemedAt: number
  latest: Latest | undefined
}

export type Latest = {
  eventId: string
  revision: number
  outcome: 'confirmed_abuse' | 'legitimate' | 'unknown'
  businessType: string
}

const WINDOW_SECONDS = 7 * 86_400
const MOST_REVISIONS = 20

/** Opens the form for a first report or a correction; disabled with a reason if none is possible. */
export function ReportButton({ decision }: { decision: Reportable }) {
  const { whyNot } = useTenant()
  const [opened, setOpened] = useState(0)
  const [open, setOpen] = useState(false)
  const [now] = useState(() => Date.now() / 1000)
  const reason = whyNot('feedback.report') ?? closed(decision, now)
  return (
    <>
      <Button
        reason={reason}
        onClick={() => {
          setOpened(opened + 1)
          setOpen(true)
        }}
      >
        <Flag size={14} aria-hidden />
        {decision.latest ? 'Correct feedback…' : 'Report feedback…'}
      </Button>
      {/* a new form each time, without earlier input and errors */}
      {opened > 0 && <ReportForm key={opened} decision={decision} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}

function closed({ redeemedAt, latest }: Reportable, now: number): string | undefined {
  if (now >= Math.floor(redeemedAt) + WINDOW_SECONDS)
    return 'Feedback is closed: the token was redeemed more than 7 days ago.'
  if ((latest?.revision ?? 0) >= MOST_REVISIONS)
    return 'Feedback is closed: this decision has the maximum of 20 revisions.'
  return undefined
}
