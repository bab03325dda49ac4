import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Config } from '../../kit/config.ts'
import { Slots } from '../../kit/slots.ts'

/** Sign-ins that wait for a free core: more would wait longer than a person does. */
const WAITING = 20

/**
 * better-auth's password hashing, of which a node does only so much at a time: a flood of sign-ins must not take all
 * cores from the verifications. Throws the refusal `unavailable` when too many wait.
 */
export function createHashing({ cores }: Pick<Config, 'cores'>) {
  const slots = new Slots({ running: 2 * cores, waiting: WAITING })
  return {
    hash: (password: string): Promise<string> => slots.run(() => hashPassword(password)),
    verify: (input: { hash: string; password: string }): Promise<boolean> => slots.run(() => verifyPassword(input)),
  }
}
