import { Notice } from '../ui/page/Notice.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Found, type Hit, linkTo } from './find.ts'
import { TenantLink } from './TenantLink.tsx'

const KINDS = {
  decision: 'Decision',
  intent: 'Intent',
  grant: 'Grant',
  feedback: 'Feedback',
  refusal: 'Refused request',
  tenant: 'Tenant',
  site: 'Site',
  person: 'Person',
  invitation: 'Invitation',
  secret: 'Secret key',
} satisfies Record<Hit['kind'], string>

/** Why there are no results, by the shape of the text. */
const NOTHING = {
  nothing: 'Enter something to search for.',
  secret: 'It looks like a secret key but is unknown: mistyped, or of a deleted site.',
  decision: 'No decision or intent has this id.',
  request: 'Only refused requests are stored, for 30 days and sampled during floods.',
  uuid: 'Nothing has this id. Intents that were not redeemed are deleted after 26 hours, refused requests after 30 days.',
  sitekey: 'No site has this key. It may have been deleted.',
  reference:
    'No refused request ends in it. Refused requests are kept for 30 days. Ask for the time and the page instead.',
  email: 'No account or invitation has this address.',
  name: 'No tenant has this name. Ids must be complete.',
} satisfies Record<Found['shape'], string>

const columns: readonly Column<Hit>[] = [
  { header: 'Found', cell: (hit) => <HitLink hit={hit} /> },
  { header: 'Kind', cell: ({ kind }) => KINDS[kind] },
  { header: 'Details', width: 'wide', cell: ({ detail }) => detail },
  { header: 'Tenant', cell: ({ tenant }) => <TenantLink tenant={tenant} /> },
  { header: 'When', align: 'right', cell: ({ at }) => (at === null ? '–' : <Time at={at} as="relative" />) },
]

function HitLink({ hit }: { hit: Hit }) {
  const target = linkTo(hit)
  return target ? <Link {...target}>{hit.label}</Link> : hit.label
}

/** What was found, each with its way on. */
export function Hits({ found }: { found: Found }) {
  return (
    <section aria-label="Search results">
      <p aria-live="polite" className="mb-3 text-13 text-ink-2">
        {counted(found.hits.length, 'result')}
      </p>
      <DataTable
        label="Search results"
        list={singlePage({ data: found.hits, error: null, isFetching: false, refetch: () => undefined })}
        columns={columns}
        rowKey={({ kind, id, tenant }) => `${kind} ${id} ${tenant?.id}`}
        empty={<Nothing found={found} />}
      />
    </section>
  )
}

export function Nothing({ found }: { found: Found }) {
  return (
    <div aria-live="polite">
      <EmptyState title="No results">{NOTHING[found.shape]}</EmptyState>
    </div>
  )
}

/** Whose a secret is that somebody pasted. */
export function SecretHits({ found }: { found: Found }) {
  return (
    <div aria-live="polite" className="grid gap-6">
      <Notice tone="block" title="This is a secret: revoke it">
        Anyone who has seen it can use the tenant’s units. Ask the tenant to rotate it, and delete it from the ticket,
        the chat and your clipboard. It was looked up by its hash and has not been stored.
      </Notice>
      {found.hits.length > 0 ? <Hits found={found} /> : <Nothing found={found} />}
    </div>
  )
}
