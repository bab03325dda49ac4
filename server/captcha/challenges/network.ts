import type { Keyring } from '../../kit/keyring.ts'
import { networkOf } from '../../kit/network.ts'

const LABEL = Buffer.from('network\0')

/** The network as 8 bytes of a keyed hash: equal networks are seen as equal, and no address is stored. */
export const networkHash = (keyring: Keyring, address: string): Buffer =>
  Buffer.from(keyring.current.hmac(LABEL, Buffer.from(networkOf(address))).slice(0, 8), 'latin1')
