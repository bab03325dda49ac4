import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Page, Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AnswerRequest } from './AnswerRequest.tsx'
import type { QuotaRequest, UnitRequest } from './api.ts'
import { hasStaffLevel } from './nav.ts'
import { TenantLink } from './StaffParts.tsx'

const REFRESH_MS = 30_000

/** What the request would change, or did; the value now only while it waits. */
const effectOf = ({ kind, units, now, decided }: UnitRequest): string => {
  const [effect, current] =
    kind === 'quota'
      ? [`Set the quota to ${whole(units)} a month`, `it is ${whole(now)}`]
      : [`${units > 0 ? 'Add' : 'Remove'} ${whole(Math.abs(units))} prepaid units`, `the balance is ${whole(now)}`]
  return decided ? effect : `${effect}; ${current}`
}

/** The figure now, while the request waits, and after it. */
const figures = (now: number | null, after: number) => (
  <span className="whitespace-nowrap">
    {now !== null && `${whole(now)} → `}
    {whole(after)}
  </span>
)

/** The change in figures: of a decided one, the quota that was set or the units that were added. */
function Change({ request: { kind, units, now, decided } }: { request: UnitRequest }) {
  if (kind === 'quota') return <>Quota {figures(decided ? null : now, units)}</>
  if (decided) return <>Balance {units > 0 ? `+${whole(units)}` : `−${whole(-units)}`}</>
  return <>Balance {figures(now, now + units)}</>
}

const columns: readonly Column<UnitRequest>[] = [
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />),
  column('Change', (request) => <Change request={request} />, { width: 'narrow' }),
  column('Reason', ({ reason }) => reason),
  column('Asked by', ({ asker }) => asker),
  column('When', ({ createdAt }) => <Time at={createdAt} as="day" />, { width: 'narrow' }),
  column('Decision', (request) => <Decision request={request} />, { align: 'right' }),
]

/** What tenants ask for; and for leads, changes of units by another lead that wait for them. */
export function Approvals() {
  const { staff } = useMe()
  return (
    <Page title="Approvals" context="Staff" description="Answers are e-mailed to the tenant and shown in its Usage.">
      <TenantRequests />
      {hasStaffLevel(staff, 'lead') && <SecondLead />}
    </Page>
  )
}

const tenantColumns: readonly Column<QuotaRequest>[] = [
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />),
  column('Units a month', ({ units, now, answer }) => figures(answer ? null : now, units), { width: 'narrow' }),
  column('Reason', ({ reason }) => reason),
  column('Asked by', ({ asker }) => asker),
  column('When', ({ createdAt }) => <Time at={createdAt} as="day" />, { width: 'narrow' }),
  column('Answer', (request) => <Answer request={request} />, { align: 'right' }),
]

function TenantRequests() {
  const requests = useQuery(trpc.staff.quotaRequests.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }))
  return (
    <Section title="Requests of tenants">
      <Table
        label="Requests of tenants"
        list={requests}
        columns={tenantColumns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No requests">When a tenant asks for more units, it is answered here.</EmptyState>}
      />
    </Section>
  )
}

function Answer({ request }: { request: QuotaRequest }) {
  const { answer, granted, state } = request
  if (!answer) return <AnswerRequest request={request} />
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      <Pill tone={state === 'approved' ? 'pass' : 'neutral'}>
        {granted === null ? 'Declined' : `Approved ${whole(granted)}`}
      </Pill>
      {answer.by}
    </span>
  )
}

/** Changes of units by one lead that wait for another. */
function SecondLead() {
  const requests = useQuery(trpc.staff.requests.list.queryOptions())
  const most = requests.data ? `more than ${counted(requests.data.most, 'unit')}` : 'many units'
  return (
    <Section
      title="Needs a second lead"
      description={`Changes of ${most}, at once or by one lead in 24 hours. A lead cannot approve their own.`}
    >
      <Table
        label="Needs a second lead"
        list={{ ...requests, data: requests.data?.rows }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No changes wait">
            A change of a quota or a balance that needs a second lead appears here.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Decision({ request }: { request: UnitRequest }) {
  const { decided, own } = request
  if (decided)
    return (
      <span className="inline-flex flex-wrap items-center justify-end gap-2">
        <Pill tone={decided.approved ? 'pass' : 'neutral'}>{decided.approved ? 'Approved' : 'Rejected'}</Pill>
        {decided.by}
      </span>
    )
  return (
    <span className="inline-flex justify-end gap-2">
      <Decide request={request} verb={own ? 'Withdraw' : 'Reject'} />
      <Decide
        request={request}
        verb="Approve"
        reason={own ? 'You asked for this. Another lead has to approve it.' : undefined}
      />
    </span>
  )
}

function Decide({
  request,
  verb,
  reason,
}: {
  request: UnitRequest
  verb: 'Approve' | 'Reject' | 'Withdraw'
  reason?: string | undefined
}) {
  const { id, tenant } = request
  const [asking, setAsking] = useState(false)
  const done = (title: string) => {
    setAsking(false)
    toast(title)
  }
  const approve = useMutation(
    trpc.staff.requests.approve.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ after }) => done(`Approved: ${tenant.name} has ${whole(after)} units now`),
    }),
  )
  const reject = useMutation(
    trpc.staff.requests.reject.mutationOptions({
      meta: { inline: true },
      onSuccess: () => done(verb === 'Withdraw' ? 'Request withdrawn' : 'Request rejected'),
    }),
  )
  const decide = verb === 'Approve' ? approve : reject
  return (
    <>
      <Button
        size="small"
        reason={reason}
        aria-label={`${verb}: ${effectOf(request)}, ${tenant.name}`}
        onClick={() => {
          decide.reset()
          setAsking(true)
        }}
      >
        {verb}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`${verb} this request?`}
        action={verb}
        onConfirm={() => decide.mutate({ id })}
        mutation={decide}
      >
        {tenant.name}: {effectOf(request)}.
      </Confirm>
    </>
  )
}
