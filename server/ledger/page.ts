/** A page of a list and the cursor of the next one, null at the end. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null }

/** Which part: at most `limit` rows after the row that `cursor` names. */
export type PageInput = { cursor?: string | undefined; limit: number }

/** Makes a page of rows that were read up to one beyond the limit. Cursors are row ids, so they are stable while rows are added. */
export function toPage<Row extends { id: string }>(read: Row[], limit: number): Page<Row> {
  const rows = read.slice(0, limit)
  return { rows, nextCursor: read.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
