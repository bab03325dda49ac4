import { Download } from 'lucide-react'
import { BOM, type Cell, csvLine } from '../../../server/contract/csv.ts'
import { Button, ButtonLink } from '../form/Button.tsx'
import { toast } from '../overlay/toast.ts'
import { counted } from '../text/format.ts'
import { save as saveFile } from './save.ts'

/** Downloads a list of any length as CSV from the service. `query`: its tenant and filters. */
export function ExportLink({
  name,
  query,
  reason,
}: {
  /** The list's name in `/export/<name>.csv`. */
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

type Table = { head: readonly string[]; rows: (string | number)[][] }

/** Saves data of the page as a CSV file. */
export function CsvButton({ name, table, reason }: { name: string; table: () => Table; reason?: string | undefined }) {
  const save = () => {
    const { head, rows } = table()
    saveCsv(name, toCsv(head, rows))
    toast(`${counted(rows.length, 'row')} saved as ${name}.csv`)
  }
  return (
    <Button reason={reason} onClick={save}>
      <Download size={14} aria-hidden />
      Export CSV
    </Button>
  )
}

/** Headings and rows as CSV. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(csvLine).join('')

/** Saves the text as a file. */
const saveCsv = (name: string, csv: string): void =>
  saveFile(`${name}.csv`, new Blob([BOM, csv], { type: 'text/csv;charset=utf-8' }))
