import type { Context } from '../../kit/context.ts'

const CHUNK = 10_000

/** Removes the session hashes of grants that expired some time ago; the grant is kept for the list. Returns how many. */
export async function sweepGrants({ prisma, config }: Pick<Context, 'prisma' | 'config'>): Promise<number> {
  const { grantSessionHours: hours } = config.retention
  for (let swept = 0; ; ) {
    const count = await prisma.$executeRaw`
      update captcha_grant set session = null
      where ctid = any(array(
        select ctid from captcha_grant where session is not null and expires_at < now() - make_interval(hours => ${hours}) limit ${CHUNK}))
        and session is not null and expires_at < now() - make_interval(hours => ${hours})`
    swept += count
    if (count < CHUNK) return swept
  }
}
