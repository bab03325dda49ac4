/** SQL for the smallest UUIDv7 of a time. Ids are ordered by time, so old rows are found by the primary key. */
export const firstIdOf = (moment: string): string =>
  `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`
