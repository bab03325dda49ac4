import { type Column, column } from '../ui/table/Table.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { NetworkRow } from './RuleSheet.tsx'
import { VERDICT_WORDS } from './words.ts'

const BY = {
  member: 'a former member',
  staff: 'Tollgate staff',
  operator: 'the operator',
  key: 'an API key',
  oidc: 'the identity provider',
} as const

/** The columns of a list of networks, without its actions. */
export const networkColumns = (note: string): Column<NetworkRow>[] => [
  column('Network', ({ network, yours }) => (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className="xl:whitespace-nowrap">
        <Code>{network}</Code>
      </span>
      {yours && <Pill tone="info">Your address</Pill>}
    </span>
  )),
  column('Effect', ({ verdict, overriddenBy }) => (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Pill tone={VERDICT_WORDS[verdict].tone}>{VERDICT_WORDS[verdict].pill}</Pill>
      {overriddenBy.length > 0 && <span className="text-12 text-ink-2">overridden by {overriddenBy.join(', ')}</span>}
    </span>
  )),
  column(note, ({ note }) => (note === '' ? <span className="text-ink-2">None</span> : note), { width: 'wide' }),
  column(
    'Changed',
    ({ changedAt, actor }) => (
      <>
        <Time at={changedAt} as="day" /> <span className="text-ink-2">by {actor.name ?? BY[actor.kind]}</span>
      </>
    ),
    { width: 'narrow' },
  ),
]
