import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Field, INPUT } from '../ui/form/Field.tsx'
import { atMost } from '../ui/form/text.ts'
import { ErrorNote, ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { Time } from '../ui/text/Time.tsx'

const shape = z.object({
  text: z.string().check(z.trim(), z.minLength(1, 'Enter a note.'), atMost(4000)),
})

/** The internal notes about a tenant, or about one of its decisions or intents. `tenant`, `subject`: ids. */
export function Notes({ subject, tenant }: { subject: string; tenant: string }) {
  const about = subject === tenant ? { tenant } : { subject }
  const notes = useQuery(trpc.staff.notes.queryOptions(about))
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { text: '' } })
  const add = useMutation(
    trpc.staff.addNote.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        form.reset()
      },
    }),
  )
  return (
    <Panel title="Notes" description="Internal: the tenant never sees them.">
      <form
        noValidate
        className="grid gap-3"
        onSubmit={(event) => void form.handleSubmit(({ text }) => add.mutate({ subject, tenant, text }))(event)}
      >
        <Field label="New note" error={form.formState.errors.text?.message}>
          {(control) => (
            <textarea rows={2} className={`${INPUT} h-auto! py-2`} {...control} {...form.register('text')} />
          )}
        </Field>
        <ErrorNote error={add.error} />
        <div>
          <Button type="submit" busy={add.isPending}>
            Add note
          </Button>
        </div>
      </form>
      <div className="mt-4 border-t border-line pt-4 text-13">
        {notes.error && !notes.data ? (
          <ErrorPanel error={notes.error} retrying={notes.isFetching} onRetry={() => void notes.refetch()} />
        ) : !notes.data ? (
          <Skeleton width="long" />
        ) : notes.data.length === 0 ? (
          <p className="text-ink-2">No notes yet.</p>
        ) : (
          <ul className="grid gap-3">
            {notes.data.map(({ id, text, author, createdAt }) => (
              <li key={id}>
                <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
                <p className="mt-0.5 text-12 text-ink-2">
                  {author}, <Time at={createdAt} as="relative" />
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}
