/** The ports that a deployment listens on. `shopPort`: of the demo shop, if there is one. */
export type Ports = { host: string; port: number; shopPort?: number | undefined }

/** Throws the system's error if one of the ports cannot be listened on. */
export function tryPorts(ports: Ports): Promise<void>

/** How to choose another port, as the end of a sentence. `settings`: as in explainPort. */
export function useAnotherPort(name: 'PORT' | 'SHOP_PORT', settings: string | undefined): string

/**
 * What is wrong and what to do, for the operator; undefined if the error is not about a port or an address.
 * `settings`: to print before `npm start`; empty, or ends with a space. Undefined if secrets are among them.
 */
export function explainPort(
  error: NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string },
  facts: { shopPort?: number | undefined; settings: string | undefined },
): string | undefined
