import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { NETWORK_NOTE_MAX, type NetworkVerdict, VERDICTS } from '../../server/contract/networks.ts'
import type { trpc } from '../trpc.ts'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { atMost } from '../ui/form/text.ts'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { toast } from '../ui/overlay/toast.ts'
import { describeError } from '../ui/page/errorMessage.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { sizeWords, VERDICT_WORDS } from './words.ts'

export type NetworkRow = inferOutput<typeof trpc.networks.list>['rows'][number]
type Preview = inferOutput<typeof trpc.networks.preview>
export type Rule = { network: string; verdict: NetworkVerdict; note: string }

type Props = {
  onClose: () => void
  /** The rule to change; undefined: a new one. */
  rule: Rule | undefined
  save: (rule: Rule) => Promise<{ network: string }>
  preview: (network: string) => Promise<Preview>
  /** On the deployment's list, each change has a reason. */
  note: { label: string; hint: string; least: number }
}

const PAUSE_MS = 300

/** The form that adds a network to a list, or changes what the list says about it. */
export function RuleSheet({ onClose, rule, save, preview, note }: Props) {
  const shape = z.object({
    network: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter an address or a range.'), z.maxLength(64, 'That is too long.')),
    verdict: z.enum(VERDICTS),
    note: z
      .string()
      .check(
        z.trim(),
        z.minLength(note.least, `Give a reason of at least ${note.least} characters.`),
        atMost(NETWORK_NOTE_MAX),
      ),
  })
  const form = useForm<Rule>({
    resolver: zodResolver(shape),
    defaultValues: rule
      ? { ...rule, note: note.least > 0 ? '' : rule.note }
      : { network: '', verdict: 'dear', note: '' },
  })
  const saving = useMutation({
    mutationKey: ['network'],
    mutationFn: save,
    meta: { inline: true },
    onSuccess: ({ network }) => {
      onClose()
      toast(rule ? `${network} changed` : `${network} added`)
    },
  })
  const { network, verdict } = useWatch({ control: form.control }) as Rule
  return (
    <FormSheet
      open
      onClose={onClose}
      title={rule ? `Change ${rule.network}` : 'Add a network'}
      submit={rule ? 'Save' : 'Add network'}
      mutation={useFieldError(form, saving)}
      onSubmit={form.handleSubmit((values) => saving.mutate(values))}
    >
      <TextField
        label="Network"
        hint="An address, or a range such as 203.0.113.0/24 or 2001:db8::/32."
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        mono
        readOnly={rule !== undefined}
        {...field(form, 'network')}
      />
      <Covered
        network={network}
        verdict={verdict}
        changing={rule !== undefined}
        refused={form.formState.errors.network !== undefined}
        preview={preview}
      />
      <Controller
        control={form.control}
        name="verdict"
        render={({ field }) => (
          <RadioGroup label="Effect" value={field.value} onChange={field.onChange} options={VERDICT_WORDS} />
        )}
      />
      <TextField label={note.label} hint={note.hint} autoComplete="off" {...field(form, 'note')} />
    </FormSheet>
  )
}

/** What the network covers, with a warning if the person's own address is in it. Asked a moment after the last key. */
function Covered({
  network,
  verdict,
  changing,
  refused,
  preview,
}: Pick<Rule, 'network' | 'verdict'> &
  Pick<Props, 'preview'> & {
    changing: boolean
    /** The field shows an error, which the preview does not repeat. */
    refused: boolean
  }) {
  const asked = useSettled(network.trim())
  const { data, error } = useQuery({
    queryKey: ['network preview', preview.name, asked],
    queryFn: () => preview(asked),
    enabled: asked !== '',
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <section
      aria-label="What it covers"
      aria-live="polite"
      className="min-h-14 rounded-panel border border-line p-3 text-13"
    >
      {asked === '' || (error && refused) ? (
        <p className="text-ink-2">What the network covers is shown here.</p>
      ) : error ? (
        <p className="text-ink-2">{describeError(error).title}</p>
      ) : data ? (
        <div className="grid gap-1">
          <p>
            <Code>{data.network}</Code> covers {sizeWords(data)}.
          </p>
          {data.listed !== null && !changing && (
            <p className="text-ink-2">It is on this list already: {VERDICT_WORDS[data.listed].pill.toLowerCase()}.</p>
          )}
          {data.yours !== null && (
            <p className={verdict === 'deny' ? 'font-medium text-block' : 'font-medium text-challenge'}>
              It contains your own address, {data.yours}.
              {verdict === 'deny' && ' You would get no challenge on your own pages.'}
            </p>
          )}
        </div>
      ) : (
        <p className="text-ink-2">Checking…</p>
      )}
    </section>
  )
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
