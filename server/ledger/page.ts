/** A part of a list, and where the next one begins; null at the end. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null }

/** Which part: at most `limit` rows after the row that `cursor` names. */
export type PageInput = { cursor?: string | undefined; limit: number }

/** The page of rows that were read one beyond the limit. Cursors are ids of rows, hence stable while rows are added. */
export function toPage<Row extends { id: string }>(read: Row[], limit: number): Page<Row> {
  const rows = read.slice(0, limit)
  return { rows, nextCursor: read.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
