import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { saveCsv, toCsv } from './csv.ts'
import { counted } from './number.ts'
import { toast, toastFailure } from './toast.ts'

type Table = { head: readonly string[]; rows: (string | number)[][] }

/** Saves as a file what `table` gets; it may take a while, and says so. */
export function CsvButton({
  name,
  table,
  reason,
}: {
  name: string
  table: () => Promise<Table>
  reason?: string | undefined
}) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { head, rows } = await table()
      saveCsv(name, toCsv(head, rows))
      toast(`${counted(rows.length, 'row')} saved as ${name}.csv`)
    } catch (error) {
      toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} reason={reason} onClick={() => void save()}>
      {!busy && <Download size={14} aria-hidden />}
      Export CSV
    </Button>
  )
}
