import type { Listing } from './DataTable.tsx'

type Whole<Row> = Pick<Listing<Row>, 'error' | 'isFetching' | 'refetch'> & { data: Row[] | undefined }

/** A list that comes in one piece, for a table. */
export const listingOf = <Row>({ data, error, isFetching, refetch }: Whole<Row>): Listing<Row> => ({
  data: data && { pages: [{ rows: data }] },
  error,
  isFetching,
  refetch,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
})
