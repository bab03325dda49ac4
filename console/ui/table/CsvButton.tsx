import { Download } from 'lucide-react'
import { Button } from '../form/Button.tsx'
import { toast } from '../overlay/toast.ts'
import { counted } from '../text/number.ts'
import { saveCsv, toCsv } from './csv.ts'

type Table = { head: readonly string[]; rows: (string | number)[][] }

/** Saves as a file what the page has already. Lists of any length come from the service: ExportLink.tsx. */
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
