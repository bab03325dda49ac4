import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { Ticket } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { DialogActions, DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { STATE_TONES, STATES, stateOf } from './words.ts'

type Trace = inferOutput<typeof trpc.decisions.get>
type Decision = NonNullable<Trace['decision']>
type Grant = NonNullable<Decision['grant']>
type Terms = NonNullable<Trace['grantTerms']>

/** Opens the form that issues the decision's grant, disabled with a reason if none is possible, or shows the grant. */
export function GrantButton({ trace: { intent, grantTerms }, grant }: { trace: Trace; grant: Grant | null }) {
  const { whyNot } = useTenant()
  const [opened, setOpened] = useState(0)
  const [layer, setLayer] = useState<'form' | 'grant' | null>(null)
  const close = () => setLayer(null)
  const reason =
    grant === null
      ? (whyNot('grant.issue') ?? (grantTerms ? grantTerms.whyNot : 'The site of this decision was deleted.'))
      : null
  return (
    <>
      <Button
        reason={reason ?? undefined}
        onClick={() => {
          setOpened(opened + 1)
          setLayer(grant ? 'grant' : 'form')
        }}
      >
        <Ticket size={14} aria-hidden className="max-sm:hidden" />
        {grant ? 'Show grant' : 'Issue grant…'}
      </Button>
      {/* a new form each time, without earlier input and errors */}
      {opened > 0 && grantTerms && (
        <IssueForm
          key={opened}
          decision={intent.id}
          terms={grantTerms}
          exists={grant !== null}
          open={layer === 'form'}
          onClose={close}
          onIssued={() => setLayer('grant')}
        />
      )}
      {grant && <GrantSheet grant={grant} session={intent.session} open={layer === 'grant'} onClose={close} />}
    </>
  )
}

const whole = (max: number) => {
  const message = max === 1 ? 'Only 1 is possible.' : `Enter a whole number from 1 to ${max}.`
  return z.int(message).check(z.gte(1, message), z.lte(max, message))
}

const asNumber = { valueAsNumber: true } as const
const USUAL_MINUTES = 15

/** `decision`: its intent's id. `exists`: a grant was issued while the form was open. */
function IssueForm({
  decision,
  terms,
  exists,
  open,
  onClose,
  onIssued,
}: {
  decision: string
  terms: Terms
  exists: boolean
  open: boolean
  onClose: () => void
  onIssued: () => void
}) {
  const { slug } = useTenant()
  const maxMinutes = Math.floor(terms.maxTtl / 60)
  const shape = z.object({ minutes: whole(maxMinutes), uses: whole(terms.maxUses) })
  const form = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { minutes: Math.min(USUAL_MINUTES, maxMinutes), uses: 1 },
  })
  const issue = useMutation(
    trpc.grants.issue.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onIssued()
      },
    }),
  )
  return (
    <FormSheet
      open={open}
      onClose={onClose}
      title="Issue grant"
      description="The visitor of this decision can then skip the challenge. Each verification is still completed and charged."
      submit="Issue"
      mutation={issue}
      reason={exists && issue.isError ? 'This decision has already issued a grant.' : undefined}
      onSubmit={form.handleSubmit(({ minutes, uses }) =>
        issue.mutate({ tenant: slug, decision, ttl: minutes * 60, uses }),
      )}
    >
      <TextField
        label="Lifetime in minutes"
        hint={`At most ${counted(maxMinutes, 'minute')} at this site.`}
        type="number"
        min={1}
        max={maxMinutes}
        {...field(form, 'minutes', asNumber)}
      />
      <TextField
        label="Uses"
        hint={`How many intents can be opened with it: at most ${terms.maxUses} at this site.`}
        type="number"
        min={1}
        max={terms.maxUses}
        {...field(form, 'uses', asNumber)}
      />
    </FormSheet>
  )
}

/** The grant, and what the backend has to do with it. `session`: the first digits of the intent's session. */
function GrantSheet({
  grant,
  session,
  open,
  onClose,
}: {
  grant: Grant
  session: string | null
  open: boolean
  onClose: () => void
}) {
  const { slug, may } = useTenant()
  const [now] = useState(() => Date.now() / 1000)
  const { id, expiresAt, uses, used } = grant
  const state = stateOf(grant, now)
  return (
    <Sheet open={open} onClose={onClose} title="Grant">
      <DialogBody>
        {state === 'active' && (
          <p className="text-13">
            Your backend has to send this id as <Code>trusted_grant_id</Code> with its next <Code>POST /intents</Code>
            {session === null ? (
              ', without a session, because this decision has none. '
            ) : (
              <>
                , with the same session as this one (<Code>{`${session}…`}</Code>).{' '}
              </>
            )}
            <DocsLink page="grants">How grants work</DocsLink>
          </p>
        )}
        <Facts>
          <Fact name="Grant">
            <CopyText text={id} name="grant id" />
          </Fact>
          <Fact name="State">
            <Pill tone={STATE_TONES[state]}>{STATES[state]}</Pill>
          </Fact>
          <Fact name="Uses">
            {used} of {uses}
          </Fact>
          <Fact name="Expires">
            <Time at={expiresAt} as="zoned" />
          </Fact>
        </Facts>
        {may('grant.read') && (
          <p className="text-13">
            <Link to="/o/$tenant/grants" params={{ tenant: slug }} search={session === null ? {} : { session }}>
              {session === null ? 'All grants' : 'Grants of this session'}
            </Link>
          </p>
        )}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Sheet>
  )
}
