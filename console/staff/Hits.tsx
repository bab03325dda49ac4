import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { listingOf } from '../ui/listing.ts'
import { Notice } from '../ui/Notice.tsx'
import { counted } from '../ui/number.ts'
import { Time } from '../ui/Time.tsx'
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

/** Why there is nothing, by what the text was taken for. */
const NOTHING = {
  nothing: 'Type or paste something first.',
  secret: 'It is shaped like a secret key, but is none of ours: mistyped, or of a site that was deleted.',
  decision: 'There is no such decision, and no intent of this id.',
  request: 'Only requests that were refused are kept, for 30 days, and of many alike only some.',
  uuid: 'Nothing has this id. Intents that were not redeemed are deleted after 26 hours, refused requests after 30 days.',
  sitekey: 'No site has this key. It may have been deleted.',
  reference: 'No refused request ends in it. They are kept for 30 days; ask for the moment and the page instead.',
  email: 'Nobody has this address, and nobody was invited by it.',
  name: 'No tenant is called that. Ids have to be whole.',
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
    <section aria-label="What was found">
      <p aria-live="polite" className="mb-3 text-13 text-ink-2">
        {counted(found.hits.length, 'hit')}
      </p>
      <DataTable
        label="What was found"
        list={listingOf({ data: found.hits, error: null, isFetching: false, refetch: () => undefined })}
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
      <EmptyState title="Nothing found">{NOTHING[found.shape]}</EmptyState>
    </div>
  )
}

/** Whose a secret is that somebody pasted. */
export function SecretHits({ found }: { found: Found }) {
  return (
    <div aria-live="polite" className="grid gap-6">
      <Notice tone="block" title="This is a secret: revoke it">
        Whoever has seen it can spend the tenant’s units. Tell its people to rotate it, and delete it wherever it
        stands: in the ticket, in the chat, in your clipboard. It was looked up by its hash and is kept nowhere here.
      </Notice>
      {found.hits.length > 0 ? <Hits found={found} /> : <Nothing found={found} />}
    </div>
  )
}
