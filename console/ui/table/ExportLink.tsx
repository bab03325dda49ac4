import { Download } from 'lucide-react'
import { Button, ButtonLink } from '../form/Button.tsx'

/**
 * Gets a list as a file from the service, which writes it as it reads: of any length. `query` are its tenant and the
 * filters of the list; what is undefined is left out.
 */
export function ExportLink({
  name,
  query,
  reason,
}: {
  /** Of the list: `/export/<name>.csv`. */
  name: string
  query: Readonly<Record<string, string | number | boolean | undefined>>
  reason?: string | undefined
}) {
  const content = (
    <>
      <Download size={14} aria-hidden />
      Export CSV
    </>
  )
  if (reason !== undefined) return <Button reason={reason}>{content}</Button>
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return (
    <ButtonLink href={`/export/${name}.csv?${new URLSearchParams(given).toString()}`} download>
      {content}
    </ButtonLink>
  )
}
