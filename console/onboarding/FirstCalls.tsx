import type { inferOutput } from '@trpc/tanstack-react-query'
import { Refused } from '../sites/CheckParts.tsx'
import type { trpc } from '../trpc.ts'
import { Outcome } from '../ui/text/Pill.tsx'

/** What arrived of the first verification so far, call by call, and what was refused with its fix. */
export function FirstCalls({ integration: data }: { integration: inferOutput<typeof trpc.sites.integration> }) {
  const refusedOf = (endpoint: string) => data.refused.find((calls) => calls.endpoint === endpoint)
  const calls = [
    { name: 'Your backend opens an intent', done: data.intents.count > 0, refused: refusedOf('/intents') },
    {
      name: 'The visitor’s browser solves the challenge',
      done: data.solved.count > 0,
      refused: refusedOf('/challenge') ?? refusedOf('/solve'),
    },
    { name: 'Your backend redeems the token', done: data.decisions.count > 0, refused: refusedOf('/siteverify') },
  ]
  return (
    <div>
      <ul className="grid gap-2 text-13">
        {calls.map(({ name, done, refused }) => (
          <li key={name}>
            <Outcome
              is={done ? 'pass' : refused ? 'block' : 'neutral'}
              word={done ? `${name}: done` : refused ? `${name}: refused` : name}
            />
            {!done && refused && (
              <p className="mt-0.5 ml-4 text-ink-2">
                <Refused {...refused} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <output className="mt-3 flex items-center gap-2.5 text-13 text-ink-2">
        <span aria-hidden className="size-2 rounded-full bg-ink-3 motion-safe:animate-pulse" />
        Waiting for your first verification: submit your form once.
      </output>
    </div>
  )
}
