// Plain JavaScript, because `npm start` calls it before anything is installed.
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Listens on a port for a moment.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<void>}
 */
function tryPort(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/**
 * Throws the system's error if one of the ports cannot be listened on.
 * @param {import('./ports.d.mts').Ports} ports
 */
export async function tryPorts({ host, port, shopPort }) {
  await tryPort(port, host)
  if (shopPort !== undefined) await tryPort(shopPort, host)
}

/**
 * @param {'PORT' | 'SHOP_PORT'} name
 * @param {string | undefined} settings as in ports.d.mts
 */
export const useAnotherPort = (name, settings) =>
  settings === undefined
    ? `set another ${name}.`
    : `choose another port: ${settings}${name === 'PORT' ? 'PORT=3010' : 'SHOP_PORT=3011'} npm start`

/**
 * What is wrong and what to do, for the operator; undefined if the error is not about a port or an address.
 * @param {NodeJS.ErrnoException & { port?: number, address?: string, hostname?: string }} error
 * @param {{ shopPort?: number, settings: string | undefined }} facts as in ports.d.mts
 */
export function explainPort({ code, syscall, port, address, hostname }, { shopPort, settings }) {
  const another = useAnotherPort(port === shopPort ? 'SHOP_PORT' : 'PORT', settings)
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Stop that program, or ${another}`
  if (code === 'EACCES' && syscall === 'listen')
    return `This account may not listen on port ${port}: ports below 1024 often need rights. Give it the right, or ${another}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
    return `This machine has no address ${address ?? hostname}. Its addresses: ${addresses.join(', ')}. Set HOST to one of them.`
  }
  return undefined
}
