import type { Keyring } from '../../kit/crypto/keyring.ts'
import { areaOf, networkOf } from '../../kit/http/network.ts'

const NETWORK = Buffer.from('network\0')
const AREA = Buffer.from('area\0')

const hashOf = ({ current }: Keyring, label: Buffer, text: string): Buffer =>
  Buffer.from(current.hmac(label, Buffer.from(text)).slice(0, 8), 'latin1')

/** The network as 8 bytes of a keyed hash: equal networks are seen as equal, and no address is stored. */
export const networkHash = (keyring: Keyring, address: string): Buffer => hashOf(keyring, NETWORK, networkOf(address))

/** The same of the area around it: an IPv4 /24 or an IPv6 /48. */
export const areaHash = (keyring: Keyring, address: string): Buffer =>
  hashOf(keyring, AREA, areaOf(address) ?? 'unknown')
