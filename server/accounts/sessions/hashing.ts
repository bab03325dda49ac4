import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { verifyPassword } from 'better-auth/crypto'
import type { Config } from '../../kit/config/config.ts'
import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'

/**
 * Hashes of a node at the same time, at most. Each takes 128 MiB and one of the four threads that Node.js also uses for files
 * and look-ups of host names. In a longer queue the last one would take longer than a person waits.
 */
export const HASHES = { name: 'hash', running: 2, waiting: 20 }

/** A hash that waited longer is not made: its caller is answered before the connection ends without a byte (`SEND_TIMEOUT`). */
const WAIT_MS = 10_000

const BLOCK = 8
const LANES = 1
const SALT_BYTES = 16
const KEY_BYTES = 32

/** The highest cost that is read from a stored hash, as a power of two: 512 MiB. */
const MOST = 19

/** What better-auth's own hashes look like: scrypt with N = 2^14, r = 16, p = 1. */
const FORMER = /^[0-9a-f]{32}:[0-9a-f]{128}$/

/** A hash as `$scrypt$ln=17,r=8,p=1$salt$key` (the PHC string format; `ln` is the logarithm of N). */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

type Cost = { N: number; r: number; p: number }

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

async function verifyStored(hash: string, password: string): Promise<boolean> {
  if (FORMER.test(hash)) return verifyPassword({ hash, password })
  const [, ln, r, p, salt = '', key = ''] = STORED.exec(hash) ?? []
  if (ln === undefined || Number(ln) > MOST) return false
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), cost), Buffer.from(key, 'base64'))
}

type CostOf = { config: Pick<Config, 'passwordCost'> }

/**
 * Password hashing by scrypt. A node computes a few hashes at a time, so that a flood of sign-ins does not take all cores
 * and memory from the verifications. Throws the refusal `unavailable` when too many wait.
 */
export function createHashing({ config: { passwordCost: ln }, bounds }: Pick<Context, 'bounds'> & CostOf) {
  const parameters = `$scrypt$ln=${ln},r=${BLOCK},p=${LANES}$`
  async function inTurn<Out>(work: () => Promise<Out>): Promise<Out> {
    const began = performance.now()
    if (!(await bounds.takeSlot(HASHES, ''))) throw new AppError('unavailable', { retryAfter: 2 })
    try {
      if (performance.now() - began > WAIT_MS) throw new AppError('unavailable', { retryAfter: 2 })
      return await work()
    } finally {
      bounds.giveSlotBack(HASHES, '')
    }
  }
  return {
    hash: (password: string): Promise<string> =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES)
        const key = await derive(password, salt, { N: 2 ** ln, r: BLOCK, p: LANES })
        return `${parameters}${encode(salt)}$${encode(key)}`
      }),
    /** False also for a stored value that is no hash. */
    verify: ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
      inTurn(() => verifyStored(hash, password)),
    /** Whether the hash was made with other parameters. */
    isFormer: (hash: string): boolean => !hash.startsWith(parameters),
  }
}

export type Hashing = ReturnType<typeof createHashing>
