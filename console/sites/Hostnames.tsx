import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { WithPermission } from '../frame/Permitted.tsx'
import { useFocusWhenAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Field, INPUT } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { whole } from '../ui/text/format.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Hostname, type RefusedHostname, useRefusedHostnames, useSiteInput } from './api.ts'
import { hostnameError, readHostname } from './siteShape.ts'

const columns: readonly Column<Hostname>[] = [
  column('Hostname', ({ hostname }) => <Code>{hostname}</Code>, { width: 'wide' }),
  column('Added', ({ createdAt }) => <Time at={createdAt} as="relative" />),
  column('Action', ({ hostname }) => <RemoveButton hostname={hostname} />, { hidden: true, align: 'right' }),
]

/** The site's hostnames, and the recently refused ones. */
export function Hostnames() {
  return (
    <WithPermission permission="hostname.read" title="You don’t have access to hostnames">
      <HostnameLists />
    </WithPermission>
  )
}

function HostnameLists() {
  const input = useSiteInput()
  const hostnames = useInfiniteQuery(trpc.hostnames.list.infiniteQueryOptions(input, PAGED))
  return (
    <>
      <Section
        title="Hostnames"
        description="List every host that shows the form, exactly: www.shop.example is not shop.example. Changes take effect within 10 seconds."
      >
        <div className="grid gap-4">
          <AddHostname />
          <Table
            label="Hostnames of the site"
            list={hostnames}
            columns={columns}
            rowKey={({ hostname }) => hostname}
            empty={
              <EmptyState title="No hostnames yet">
                Verifications are refused until there is one. Add the host of your page, or <Code>localhost</Code> for a
                first test.
              </EmptyState>
            }
          />
        </div>
      </Section>
      <RefusedHostnames />
    </>
  )
}

function RemoveButton({ hostname }: { hostname: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const add = useMutation(
    trpc.hostnames.add.mutationOptions({
      onSuccess: () => toast(`${hostname} restored`),
    }),
  )
  const remove = useMutation(
    trpc.hostnames.remove.mutationOptions({
      onSuccess: () =>
        toast(`${hostname} removed`, {
          description: 'Verifications on it are now refused.',
          undo: () => add.mutate({ ...input, hostname }),
        }),
    }),
  )
  return (
    <Button
      size="small"
      busy={remove.isPending}
      reason={whyNot('hostname.write')}
      onClick={() => remove.mutate({ ...input, hostname })}
      aria-label={`Remove ${hostname}`}
    >
      Remove
    </Button>
  )
}

/** What a text of one or more hostnames means: each name as browsers send it, and what cannot be one, with the reason. */
function readHostnames(text: string): {
  meant: { typed: string; hostname: string }[]
  wrong: string[]
  error?: string
} {
  const typed = text.split(/[\s,;]+/).filter(Boolean)
  if (typed.length === 0) return { meant: [], wrong: [], error: hostnameError('') }
  const meant = typed.flatMap((typed) => {
    const hostname = readHostname(typed)
    return hostname === null ? [] : [{ typed, hostname }]
  })
  const wrong = typed.filter((each) => readHostname(each) === null)
  const [first] = wrong
  if (first === undefined) return { meant, wrong }
  return { meant, wrong, error: `${first}: ${hostnameError(first)}` }
}

/** The form that adds hostnames, one or several at once, each as a browser sends it. */
function AddHostname() {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm({ defaultValues: { hostnames: '' } })
  const registered = form.register('hostnames')
  const target = useFocusWhenAsked<HTMLTextAreaElement>('add-hostname')
  const add = useMutation(trpc.hostnames.add.mutationOptions({ meta: { inline: true } }))
  const remove = useMutation(trpc.hostnames.remove.mutationOptions())
  const submit = form.handleSubmit(async ({ hostnames }) => {
    const { meant, wrong, error } = readHostnames(hostnames)
    const added: typeof meant = []
    try {
      for (const name of meant)
        if ((await add.mutateAsync({ ...input, hostname: name.hostname })).added) added.push(name)
        else toast(`${name.hostname} is already one of the site’s hostnames`)
      form.reset({ hostnames: wrong.join('\n') })
      if (error !== undefined) form.setError('hostnames', { message: error })
    } catch {
      // `add.error` is shown below the field
    }
    const [first] = added
    if (!first) return
    const one = first.typed === first.hostname ? `${first.hostname} added` : `Added as ${first.hostname}`
    toast(added.length === 1 ? one : `${added.length} hostnames added`, {
      undo: () => {
        for (const { hostname } of added) remove.mutate({ ...input, hostname })
      },
    })
  })
  return (
    <Form narrow onSubmit={submit}>
      <Field
        label="Add hostnames"
        hint="One or several, also pasted from an address bar: https://, port and path are removed."
        error={form.formState.errors.hostnames?.message}
      >
        {(control) => (
          <div className="flex items-start gap-2">
            <textarea
              rows={1}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              className={`${INPUT} h-auto! min-h-9 resize-none py-2 font-mono text-13 field-sizing-content`}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey) return
                event.preventDefault()
                void submit()
              }}
              {...control}
              {...registered}
              ref={(element) => {
                registered.ref(element)
                target.current = element
              }}
            />
            <Button type="submit" look="primary" size="field" busy={add.isPending} reason={whyNot('hostname.write')}>
              Add
            </Button>
          </div>
        )}
      </Field>
      <ErrorNote error={add.error} />
    </Form>
  )
}

const REFRESH_MS = 10_000

const refusedColumns: readonly Column<RefusedHostname>[] = [
  column('Hostname', ({ hostname }) => <Code>{hostname}</Code>, { width: 'wide' }),
  column('Sent by', ({ claimed }) => (claimed ? 'Visitors only' : 'Your backend')),
  column('Times', ({ count }) => whole(count), { align: 'right' }),
  column('Last', ({ lastAt }) => <Time at={lastAt} as="relative" />),
  column('Action', ({ hostname, claimed }) => (claimed ? null : <AllowButton hostname={hostname} />), {
    hidden: true,
    align: 'right',
  }),
]

/** Recently refused hostnames. Those that the backend used have a button that allows them; visitors can send any. */
function RefusedHostnames() {
  const refused = useRefusedHostnames(REFRESH_MS)
  return (
    <Section
      title="Recently refused"
      description="Refused in the last 7 days because they are not among the site’s hostnames. The latest 20; counts are sampled during floods. Visitors can send any hostname: if one of theirs is yours, add it above."
    >
      <Table
        label="Recently refused hostnames"
        list={refused}
        columns={refusedColumns}
        rowKey={({ hostname }) => hostname}
        empty={
          <EmptyState title="No refused hostnames">
            Hostnames that your backend uses but that the site does not have appear here, with a button to allow them.
          </EmptyState>
        }
      />
    </Section>
  )
}

function AllowButton({ hostname }: { hostname: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const remove = useMutation(trpc.hostnames.remove.mutationOptions())
  const allow = useMutation(
    trpc.hostnames.add.mutationOptions({
      onSuccess: () => toast(`${hostname} allowed`, { undo: () => remove.mutate({ ...input, hostname }) }),
    }),
  )
  return (
    <Button
      size="small"
      busy={allow.isPending}
      reason={whyNot('hostname.write')}
      onClick={() => allow.mutate({ ...input, hostname })}
      aria-label={`Allow ${hostname}`}
    >
      Allow
    </Button>
  )
}
