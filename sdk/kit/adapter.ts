import { pathToFileURL } from 'node:url'
import { Unusable } from './check.ts'

/** The settings with which the kit starts a merchant. */
export type Settings = {
  /** URL of the kit's proxy in front of the deployment, for the merchant's backend and for browsers. */
  tollgateUrl: string
  sitekey: string
  secret: string
  /** The hostname that the merchant is configured with. */
  hostname: 'localhost'
}

/** How the kit starts a merchant. An adapter file exports one by default. */
export type Adapter = { name: string; start(settings: Settings): Promise<Merchant> }

/** A running merchant with one protected form. */
export type Merchant = {
  /** URL of the page with the protected form. */
  form: string
  /** Complete, valid values by field name, as a visitor would enter them. */
  fields: Record<string, string>
  /** The same fields with other content that the merchant would accept too. Each field that differs is also sent alone. */
  changed: Record<string, string>
  /** How often the business action has been executed. */
  executed(): Promise<number>
  /** Everything that the merchant logged since its start: standard output, standard error, files. */
  logs(): Promise<string>
  stop(): Promise<void>
}

/** Loads an adapter file (.ts, .mjs, .js), or with `#name` another export than its default. @throws Unusable */
export async function loadAdapter(address: string): Promise<Adapter> {
  const [file = '', name = 'default'] = address.split('#')
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Unusable(`${file} cannot be loaded: ${String(error)}`)
  })) as Record<string, Partial<Adapter> | undefined>
  const adapter = module[name]
  if (typeof adapter?.name !== 'string' || typeof adapter.start !== 'function')
    throw new Unusable(`${file} must export { name, start } by ${name === 'default' ? 'default' : `the name ${name}`}`)
  return adapter as Adapter
}

/**
 * Connects to a merchant that its owner has started. `address` answers
 * `{name, form, fields, changed, executed, logs}`; `executed` is an address that answers `{"executed": n}`, `logs` one that
 * answers text. The kit cannot restart such a merchant with other keys.
 * @throws Unusable if the description is incomplete
 */
export async function connectMerchant(address: string): Promise<{ name: string; merchant: Merchant }> {
  const described = await readJson(address)
  const text = (name: string): string => {
    const value = described[name]
    if (typeof value !== 'string') throw new Unusable(`${address}: "${name}" must be a string`)
    return value
  }
  const values = (name: string): Record<string, string> => {
    const value = described[name]
    const isRecord = typeof value === 'object' && value !== null
    if (!isRecord || Object.values(value).some((each) => typeof each !== 'string'))
      throw new Unusable(`${address}: "${name}" must be an object of strings`)
    return { ...value }
  }
  const [executed, logs] = [text('executed'), text('logs')]
  return {
    name: text('name'),
    merchant: {
      form: text('form'),
      fields: values('fields'),
      changed: values('changed'),
      async executed() {
        const count = (await readJson(executed))['executed']
        if (typeof count !== 'number') throw new Unusable(`${executed} must answer {"executed": <number>}`)
        return count
      },
      async logs() {
        const reply = await fetch(logs)
        if (!reply.ok) throw new Unusable(`${logs} answered ${reply.status}`)
        return reply.text()
      },
      stop: async () => {},
    },
  }
}

async function readJson(address: string): Promise<Record<string, unknown>> {
  try {
    const reply = await fetch(address)
    return (await reply.json()) as Record<string, unknown>
  } catch (error) {
    throw new Unusable(`${address} does not answer with JSON: ${String(error)}`)
  }
}
