type Page = { rows: readonly { id: string }[]; nextCursor: string | null }

/** Reads a list to its end: the ids of all rows, and of how many pages. `between` happens after each page but the last. */
export async function readPages(
  read: (cursor: string | undefined) => Promise<Page>,
  between?: () => Promise<unknown>,
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  for (let pages = 1, cursor: string | undefined; ; pages++) {
    const page = await read(cursor)
    ids.push(...page.rows.map(({ id }) => id))
    if (page.nextCursor === null) return { ids, pages }
    cursor = page.nextCursor
    await between?.()
  }
}
