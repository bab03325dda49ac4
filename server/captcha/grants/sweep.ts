import type { Db } from '../../kit/transact.ts'

const CHUNK = 10_000

/** Removes the session hashes of grants that expired 24 hours ago; the grant is kept for the list. Returns how many. */
export async function sweepGrants({ prisma }: Db): Promise<number> {
  for (let swept = 0; ; ) {
    const count = await prisma.$executeRaw`
      update captcha_grant set session = null
      where ctid = any(array(
        select ctid from captcha_grant where session is not null and expires_at < now() - interval '24 hours' limit ${CHUNK}))
        and session is not null and expires_at < now() - interval '24 hours'`
    swept += count
    if (count < CHUNK) return swept
  }
}
