/** SQL for the least UUIDv7 of a moment: ids are ordered by time, so the primary key finds what is old. */
export const firstIdOf = (moment: string): string =>
  `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`
