import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Time } from '../ui/text/Time.tsx'
import type { FailedJob } from './api.ts'
import { TenantLink } from './StaffParts.tsx'

const REFRESH_MS = 5000

const titleOf = ({ task, email }: FailedJob): string => (email ? `“${email.subject}” to ${email.to}` : task)

/** Rows stay three lines high. The title has all of a longer text. */
const columns: readonly Column<FailedJob>[] = [
  column(
    'Job',
    ({ task, email }) =>
      email ? (
        <>
          <span className="line-clamp-2">{email.subject}</span>
          <span className="line-clamp-1 break-all text-ink-2" title={email.to}>
            {email.to}
          </span>
        </>
      ) : (
        <span className="font-mono text-12">{task}</span>
      ),
    { width: 'wide' },
  ),
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />, { from: 'xl' }),
  column(
    'Last error',
    ({ error }) => (
      <span className="line-clamp-3 wrap-anywhere" title={error}>
        {error}
      </span>
    ),
    { width: 'wide' },
  ),
  column('Enqueued', ({ createdAt }) => <Time at={createdAt} as="relative" />, {
    from: '2xl',
    width: 'narrow',
    align: 'right',
  }),
  column(
    'Attempts',
    ({ attempts, maxAttempts, nextAt }) => (
      <>
        {attempts} of {maxAttempts}
        <span className="block text-ink-2">
          {nextAt === null ? 'the last one' : <Time at={nextAt} as="relative" />}
        </span>
      </>
    ),
    { width: 'narrow', align: 'right' },
  ),
  column('Action', (job) => <Actions job={job} />, { hidden: true, width: 'narrow', align: 'right' }),
]

/** Jobs whose last run failed, such as e-mails that the mail server did not accept. */
export function FailedJobs() {
  const jobs = useQuery(trpc.staff.jobs.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }))
  const { data } = jobs
  return (
    <div id="failed-jobs" className="scroll-mt-16 lg:scroll-mt-4">
      <Section
        title="Failed jobs"
        description={`A job that fails is tried again up to 25 times in four days, after longer and longer pauses; the time below the attempts is that of the next one.${
          data && data.total > data.rows.length
            ? ` Shows ${whole(data.rows.length)} of ${counted(data.total, 'job')}.`
            : ''
        }`}
      >
        <Table
          label="Failed jobs"
          list={{ ...jobs, data: data?.rows }}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No failed jobs">E-mails that could not be sent appear here.</EmptyState>}
        />
      </Section>
    </div>
  )
}

function Actions({ job }: { job: FailedJob }) {
  const { id } = job
  const [asking, setAsking] = useState(false)
  const retry = useMutation(
    trpc.staff.jobs.retry.mutationOptions({
      onSuccess: () => toast('The job runs again', { description: 'If it fails, it stays on this page.' }),
    }),
  )
  const remove = useMutation(
    trpc.staff.jobs.delete.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        setAsking(false)
        toast('Job deleted')
      },
    }),
  )
  return (
    <span className="inline-flex justify-end gap-2">
      <Button
        size="small"
        aria-label={`Try again: ${titleOf(job)}`}
        busy={retry.isPending}
        onClick={() => retry.mutate({ id })}
      >
        Try again
      </Button>
      <Button
        size="small"
        aria-label={`Delete: ${titleOf(job)}`}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Delete
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this job?"
        action="Delete"
        onConfirm={() => remove.mutate({ id })}
        mutation={remove}
      >
        {job.email
          ? `The e-mail ${titleOf(job)} will not be sent.`
          : `This run of ${job.task} ends. A job of the timetable runs again at its next time.`}
      </Confirm>
    </span>
  )
}
