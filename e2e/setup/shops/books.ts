/** What has happened, by the books of the shop and by those of Tollgate. */
export type Books = { orders: number; letters: number; decisions: number; fromQuota: number; balance: number }

/** A shop that runs. */
export type Shop = {
  url: string
  /** What is in its own books. */
  count(): Promise<Pick<Books, 'orders' | 'letters'>>
  close(): Promise<void>
}
