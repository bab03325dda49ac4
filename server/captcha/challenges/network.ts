import { createHmac } from 'node:crypto'
import type { Keyring } from '../../kit/keyring.ts'
import { networkOf } from '../../kit/network.ts'

/** The network as 8 bytes of a keyed hash: equal networks are seen as equal, and no address is stored. */
export const networkHash = (keyring: Keyring, address: string): Buffer =>
  createHmac('sha256', keyring.current.key).update('network\0').update(networkOf(address)).digest().subarray(0, 8)
