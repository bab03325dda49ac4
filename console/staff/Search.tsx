import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SearchIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { toastError } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import {
  linkToOnly,
  linkToResult,
  maybeSecret,
  type SearchResult,
  type SearchResults,
  search,
  useSearchResults,
} from './api.ts'
import { HealthPills } from './HealthPills.tsx'
import { TenantLink } from './StaffParts.tsx'

const route = getRouteApi('/staff/')

/** One search field for everything that a ticket may contain. Opens a single result directly. */
export function Search() {
  const { q = '' } = route.useSearch()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  /** The results for a secret, without the secret. */
  const [secretResults, setSecretResults] = useState<SearchResults | null>(null)
  const results = useSearchResults(q)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form).get('text')
    const text = typeof typed === 'string' ? typed.trim() : ''
    const secret = maybeSecret(text)
    setSecretResults(null)
    if (secret) form.reset()
    if (text === '') return navigate({ to: '/staff', search: {} })
    setBusy(true)
    try {
      const found = await search(text)
      const target = linkToOnly(found)
      if (secret) {
        setSecretResults(found)
        await navigate({ to: '/staff', search: {} })
      } else if (target) await navigate(target)
      else await navigate({ to: '/staff', search: { q: text } })
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Page title="Search" context="Staff" description="One box for any id, key, address or reference, in every tenant.">
      <search>
        <form onSubmit={(event) => void submit(event)} className="flex gap-2" key={q}>
          <div className="relative min-w-0 grow">
            <SearchIcon size={18} aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 text-ink-2" />
            <input
              name="text"
              type="text"
              aria-label="Search everything"
              aria-describedby="takes"
              defaultValue={q}
              placeholder="Paste or type…"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={500}
              className={`${INPUT} h-12! pl-11 text-16!`}
            />
          </div>
          {/* as high as the search field */}
          <span className="flex *:h-12! *:px-6!">
            <Button type="submit" look="primary" busy={busy}>
              Find
            </Button>
          </span>
        </form>
        <p id="takes" className="mt-2 max-w-200 text-12 text-ink-2">
          Takes <Example>dec_…</Example> <Example>req_…</Example> <Example>tg_site_…</Example>, the id of an intent,
          grant, feedback event, site or tenant, an e-mail address, the name of a tenant, a person, a site or a host,
          the last four characters of a secret, or the reference that a visitor reads out:{' '}
          <Example>Ref. 89abcdef</Example>
        </p>
      </search>
      {secretResults ? (
        <SecretResults results={secretResults} />
      ) : results.error ? (
        <ErrorPanel error={results.error} retrying={results.isFetching} onRetry={() => void results.refetch()} />
      ) : q === '' ? (
        <NeedsAttention />
      ) : (
        results.data &&
        (results.data.hits.length > 0 ? <Results results={results.data} /> : <NoResults results={results.data} />)
      )}
    </Page>
  )
}

const Example = ({ children }: { children: string }) => <code className="font-mono whitespace-nowrap">{children}</code>

/** The types of search results. */
const RESULT_KINDS = {
  decision: 'Decision',
  intent: 'Intent',
  grant: 'Grant',
  feedback: 'Feedback',
  refusal: 'Refused request',
  tenant: 'Tenant',
  site: 'Site',
  hostname: 'Hostname',
  person: 'Person',
  invitation: 'Invitation',
  secret: 'Secret key',
} satisfies Record<SearchResult['kind'], string>

/** Why there are no results, by the format of the text. */
const NO_RESULTS = {
  nothing: 'Enter something to search for.',
  secret:
    'It looks like a secret key but is unknown: cut off, mistyped, or of a deleted site. Try its last four characters.',
  decision: 'No decision or intent has this id.',
  request: 'Only refused requests are stored, for 30 days and sampled during floods.',
  uuid: 'Nothing has this id. Intents that were not redeemed are deleted after 26 hours, refused requests after 30 days.',
  sitekey: 'No site has this key. It may have been deleted.',
  reference:
    'No refused request of the last 30 days ends with it, and none of the latest 20,000 decisions. Ask for the time and the page instead.',
  email: 'No account or invitation has this address.',
  name: 'No tenant, person, site or host has this name, and no secret ends in it. Ids must be complete.',
} satisfies Record<SearchResults['shape'], string>

const columns: readonly Column<SearchResult>[] = [
  column('Found', (result) => <ResultLink result={result} />),
  column('Kind', ({ kind }) => RESULT_KINDS[kind]),
  column('Details', ({ detail }) => detail, { width: 'wide' }),
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />),
  column('When', ({ at }) => (at === null ? 'Unknown' : <Time at={at} as="relative" />), { align: 'right' }),
]

function ResultLink({ result }: { result: SearchResult }) {
  const target = linkToResult(result)
  return target ? <Link {...target}>{result.label}</Link> : result.label
}

function Results({ results }: { results: SearchResults }) {
  return (
    <section aria-label="Search results">
      <p aria-live="polite" className="mb-3 text-13 text-ink-2">
        {counted(results.hits.length, 'result')}
      </p>
      <Table
        label="Search results"
        list={{ data: results.hits }}
        columns={columns}
        rowKey={({ kind, id, label, tenant }) => `${kind} ${id} ${label} ${tenant?.id}`}
        empty={<NoResults results={results} />}
      />
    </section>
  )
}

function NoResults({ results: { shape, archives } }: { results: SearchResults }) {
  return (
    <div aria-live="polite">
      <EmptyState title="No results">
        {NO_RESULTS[shape]}
        {archives.length > 0 && (
          <>
            {' The decisions of the day of this id are archived: look for it in '}
            <Code>{archives.join(' or ')}</Code> of <Code>ARCHIVE_DIR</Code>.
          </>
        )}
      </EmptyState>
    </div>
  )
}

/** The tenant whose secret was pasted, with a warning. */
function SecretResults({ results }: { results: SearchResults }) {
  return (
    <div aria-live="polite" className="grid gap-6">
      <Notice tone="block" title="This is a secret: revoke it">
        Anyone who has seen it can use the tenant’s units. Ask the tenant to rotate it, and delete it from the ticket,
        the chat and your clipboard. It was looked up by its hash and has not been stored.
      </Notice>
      {results.hits.length > 0 ? <Results results={results} /> : <NoResults results={results} />}
    </div>
  )
}

const ATTENTION_LIMIT = 8
const REFRESH_MS = 60_000

/** The newest tenants with a problem. */
function NeedsAttention() {
  const tenants = useQuery(
    trpc.staff.tenants.list.queryOptions({ attention: true, limit: ATTENTION_LIMIT }, { refetchInterval: REFRESH_MS }),
  )
  const { data, error } = tenants
  return (
    <Section
      title="Needs attention"
      description="Tenants that are suspended, short of units or silent, ask for units, or have incidents or many refusals."
      actions={
        <PageLink to="/staff/tenants" search={{ attention: true }}>
          Show all
        </PageLink>
      }
    >
      {error && !data ? (
        <ErrorPanel error={error} retrying={tenants.isFetching} onRetry={() => void tenants.refetch()} />
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface text-13">
          {!data && (
            <li className="px-4 py-2.5">
              <Skeleton width="long" />
            </li>
          )}
          {data?.rows.length === 0 && <li className="px-4 py-2.5 text-ink-2">No tenants need attention.</li>}
          {data?.rows.map(({ id, name, anomalies, suspended }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
              <TenantLink tenant={{ id, name }} />
              <HealthPills anomalies={anomalies} suspended={suspended} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
