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
 * What is wrong and what to do, for the operator; undefined if the error is not about a port or an address.
 * @param {NodeJS.ErrnoException & { port?: number, address?: string, hostname?: string }} error
 * @param {{ shopPort?: number, settings: string }} facts `settings`: to print before a command; empty, or ends with a space
 */
export function explainPort({ code, syscall, port, address, hostname }, { shopPort, settings }) {
  const another = `choose another port: ${settings}${port === shopPort ? 'SHOP_PORT=3011' : 'PORT=3010'} npm start`
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Stop that program, or ${another}`
  if (code === 'EACCES' && syscall === 'listen')
    return `This account may not listen on port ${port}: ports below 1024 often need rights. Give it the right, or ${another}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
    return `This machine has no address ${address ?? hostname}. Its addresses: ${addresses.join(', ')}. Set HOST to one of them.`
  }
  return undefined
}
