import type { z } from 'zod'
import type { MemberCtx } from '../accounts/access.ts'
import { BOM, type Cell, csvLine } from '../contract/csv.ts'
import type { Permission } from '../contract/permissions.ts'
import type { Page } from '../ledger/page.ts'

/** A list as a file: its permission, its filters, its columns by name, and all its rows. */
type Definition<Input, Row> = {
  permission: Permission
  /** The query parameters besides the tenant: texts. */
  input: z.ZodType<Input>
  rows: (ctx: MemberCtx, input: Input) => AsyncIterable<Row>
  columns: Readonly<Record<string, (row: Row) => Cell>>
}

/** `read` parses the URL's query and throws ZodError; the file is streamed in chunks of lines. */
export type Export = {
  permission: Permission
  read(query: unknown): (ctx: MemberCtx) => AsyncIterable<string>
}

export const defineExport = <Input, Row>({ permission, input, rows, columns }: Definition<Input, Row>): Export => ({
  permission,
  read: (query) => {
    const given = input.parse(query)
    return (ctx) => written(rows(ctx, given), columns)
  },
})

/** Lines per chunk, to save system calls. */
const TOGETHER = 200

async function* written<Row>(
  rows: AsyncIterable<Row>,
  columns: Definition<unknown, Row>['columns'],
): AsyncGenerator<string> {
  const cells = Object.values(columns)
  let lines = [BOM + csvLine(Object.keys(columns))]
  for await (const row of rows) {
    lines.push(csvLine(cells.map((cell) => cell(row))))
    if (lines.length < TOGETHER) continue
    yield lines.join('')
    lines = []
  }
  if (lines.length > 0) yield lines.join('')
}

/** All rows of a list, page by page, read as they are consumed. */
export async function* eachOf<Row>(list: (cursor: string | undefined) => Promise<Page<Row>>): AsyncGenerator<Row> {
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    yield* page.rows
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
