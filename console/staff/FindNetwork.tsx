import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { VERDICT_WORDS } from '../networks/words.ts'
import { type trpc, trpcClient } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Section } from '../ui/page/Page.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'

type Found = inferOutput<typeof trpc.staff.networks.find>[number]

const shape = z.object({
  address: z.string().check(z.trim(), z.minLength(1, 'Enter an address.'), z.maxLength(64, 'That is too long.')),
  site: z.string().check(z.trim(), z.maxLength(64, 'That is too long.')),
})

const whereWords = ({ list, line }: Found): string =>
  list === 'file'
    ? `line ${line} of the operator’s file`
    : list === 'site'
      ? 'the site’s list'
      : 'this deployment’s list'

/** Says which entries of the lists contain an address, and which one counts. */
export function FindNetwork() {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { address: '', site: '' } })
  // a mutation, so that it runs on submission only
  const find = useMutation({
    meta: { inline: true },
    mutationFn: ({ address, site }: { address: string; site: string }) =>
      trpcClient.staff.networks.find.query({ address, ...(site !== '' && { site }) }),
  })
  return (
    <Section title="Check an address" description="Why a visitor was denied, or has a higher difficulty.">
      <div className="grid gap-4">
        <Form onSubmit={form.handleSubmit((input) => find.mutate(input))}>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField
              label="Address"
              hint="IPv4 or IPv6."
              mono
              autoComplete="off"
              spellCheck={false}
              {...field(form, 'address')}
            />
            <TextField
              label="Site key"
              hint="Optional: includes the list of this site."
              mono
              autoComplete="off"
              spellCheck={false}
              {...field(form, 'site')}
            />
          </div>
          <ErrorNote error={find.error} />
          <div>
            <Button type="submit" busy={find.isPending}>
              Check
            </Button>
          </div>
        </Form>
        <div aria-live="polite">
          {find.data?.length === 0 && <p className="text-13">{find.variables?.address} is on no list.</p>}
          {find.data && find.data.length > 0 && (
            <ul
              aria-label="Entries that contain the address"
              className="divide-y divide-line rounded-panel border border-line bg-surface text-13"
            >
              {find.data.map((entry, i) => (
                <li
                  key={`${entry.list} ${entry.line} ${entry.network}`}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
                >
                  <Code>{entry.network}</Code>
                  <Pill tone={i === 0 ? VERDICT_WORDS[entry.verdict].tone : 'neutral'}>
                    {VERDICT_WORDS[entry.verdict].pill}
                  </Pill>
                  <span className="text-ink-2">
                    {i === 0 ? 'This one counts. On' : 'Not used. On'} {whereWords(entry)}
                    {entry.note !== '' && `: ${entry.note}`}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Section>
  )
}
