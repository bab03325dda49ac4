import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Delivery, useDeliveries } from './api.ts'
import { DELIVERY_STATES, requestText } from './words.ts'

const columnsOf = (open: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  column('Event', ({ type }) => <span className="font-medium">{type}</span>, { width: 'wide' }),
  column('State', ({ state }) => <Pill tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].word}</Pill>),
  column('Reply', ({ reply }) => reply && (reply.status ?? 'None')),
  column('Duration', ({ reply }) => reply && `${whole(reply.milliseconds)} ms`, { from: 'lg' }),
  column('Attempts', ({ attempts }) => attempts, { align: 'right', from: 'lg' }),
  column('Created', ({ createdAt }) => <Time at={createdAt} as="relative" />),
  column(
    'Action',
    (delivery) => (
      <Button size="small" onClick={() => open(delivery)} aria-label={`Details of ${delivery.type}`}>
        Details
      </Button>
    ),
    { hidden: true, align: 'right' },
  ),
]

/** The deliveries of a webhook, and one of them in a sheet. */
export function Deliveries({ id, isEnabled }: { id: string; isEnabled: boolean }) {
  const deliveries = useDeliveries(id)
  const [opened, setOpened] = useState<string | null>(null)
  const [columns] = useState(() => columnsOf((delivery) => setOpened(delivery.id)))
  const shown = deliveries.data?.pages.flatMap(({ rows }) => rows).find((row) => row.id === opened)
  return (
    <Section title="Deliveries" description="The last 200 of 30 days.">
      <Table
        label="Deliveries"
        list={deliveries}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<EmptyState title="No deliveries">Send a test to see a request and your server’s reply.</EmptyState>}
      />
      <Sheet open={shown !== undefined} onClose={() => setOpened(null)} title={shown?.type ?? ''}>
        {shown && <Details id={id} delivery={shown} isEnabled={isEnabled} />}
      </Sheet>
    </Section>
  )
}

function Details({ id, delivery, isEnabled }: { id: string; delivery: Delivery; isEnabled: boolean }) {
  const { slug, whyNot } = useTenant()
  const { state, reply, attempts, nextAt } = delivery
  const resend = useMutation(trpc.webhooks.resend.mutationOptions({ onSuccess: () => toast('Sent again') }))
  return (
    <DialogBody>
      <Facts>
        <Fact name="State">
          <Pill tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].word}</Pill>
        </Fact>
        <Fact name="Attempts">{attempts}</Fact>
        {reply && <Fact name="Duration">{whole(reply.milliseconds)} ms</Fact>}
        {nextAt !== null && (
          <Fact name="Next attempt">
            <Time at={nextAt} as="second" />
          </Fact>
        )}
      </Facts>
      <Snippet name="Request" text={requestText(delivery)} />
      {reply && <Snippet name={reply.status === null ? 'No reply' : `Reply ${reply.status}`} text={reply.body} />}
      <div>
        <Button
          busy={resend.isPending}
          reason={whyNot('webhook.write') ?? (isEnabled ? undefined : 'This webhook is disabled. Enable it first.')}
          onClick={() => resend.mutate({ tenant: slug, id, delivery: delivery.id })}
        >
          Send again
        </Button>
      </div>
    </DialogBody>
  )
}
