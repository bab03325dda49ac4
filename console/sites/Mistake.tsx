import { DocsLink } from '../frame/DocsLink.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Finding, useSiteInput } from './api.ts'
import { ClientName } from './ClientName.tsx'

export const keyOf = ({ mistake, hostname, last4 }: Finding) => `${mistake} ${hostname ?? last4 ?? ''}`

/** A mistake of the doctor: what was seen, and what to change. With an `id`, links lead to it. `onKeys`: it is shown on the page of the keys. */
export function Mistake({
  finding,
  id,
  onKeys = false,
}: {
  finding: Finding
  id?: string | undefined
  onKeys?: boolean
}) {
  const { severity, title, fix, count, lastAt, docs, lines, mistake } = finding
  return (
    <li
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-label={title}
      className="scroll-mt-20 overflow-clip rounded-panel border border-line bg-surface"
    >
      <div className="px-4 py-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <h3 className="min-w-0 text-13 font-medium wrap-anywhere">{title}</h3>
          <Pill tone={severity === 'error' ? 'block' : 'challenge'}>{severity === 'error' ? 'Error' : 'Warning'}</Pill>
        </div>
        <p className="mt-0.5 max-w-136 text-13 text-pretty text-ink-2">
          <Why finding={finding} /> <Sentence text={fix} />
        </p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-2">
          <span>
            {counted(count, 'call')}
            {lastAt !== null && (
              <>
                , the last <Time at={lastAt} as="relative" />
              </>
            )}
          </span>
          {(mistake === 'www-host' || mistake === 'unlisted-host' || mistake === 'loopback-host') && <AllowLink />}
          {(mistake === 'ended-secret' || mistake === 'two-secrets') && !onKeys && <KeysLink />}
          <DocsLink page={docs}>Docs</DocsLink>
        </p>
      </div>
      {lines.removed.length + lines.added.length > 0 && (
        <figure className="border-t border-line bg-sunken">
          <figcaption className="px-4 pt-2 text-12 text-ink-2">
            {lines.example ? 'Example, in' : 'In'} {lines.where}
          </figcaption>
          <pre className="px-4 pt-1 pb-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
            {lines.removed.map((line) => (
              <del key={line} className="block text-block no-underline">{`- ${line}`}</del>
            ))}
            {lines.added.map((line) => (
              <ins key={line} className="block text-pass no-underline">{`+ ${line}`}</ins>
            ))}
          </pre>
        </figure>
      )}
    </li>
  )
}

/** Why it is a mistake. The name of the client at its beginning does not wrap. */
function Why({ finding: { why, by } }: { finding: Finding }) {
  if (by == null || !why.startsWith(by)) return <Sentence text={why} />
  return (
    <>
      <ClientName userAgent={by} />
      {why.slice(by.length)}
    </>
  )
}

function KeysLink() {
  return (
    <Link to="/o/$tenant/sites/$site/keys" params={useSiteInput()}>
      Keys
    </Link>
  )
}

function AllowLink() {
  return (
    <Link to="/o/$tenant/sites/$site/hostnames" params={useSiteInput()}>
      Hostnames
    </Link>
  )
}
