import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Context, Resource } from '../../../kit/context.ts'
import { OperatorError } from '../../../kit/error.ts'
import type { Address, Cidr } from '../../../kit/http/address.ts'
import { NetworkTable } from '../../../kit/http/networkTable.ts'
import { decoded, NetworksFileError, unreadable } from './file.ts'
import { type Provider, parseProviders } from './providersFile.ts'

/** The path of the list that is shipped. */
export const SHIPPED_PROVIDERS = fileURLToPath(new URL('providers.txt', import.meta.url))

/** Reads a list of providers. Throws NetworksFileError. */
export function readProviders(path: string): Provider[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw unreadable(error)
  }
  return parseProviders(decoded(bytes))
}

type ProviderRange = { cidr: Cidr; name: string }

const TABLE: Resource<NetworkTable<ProviderRange>> = {
  name: 'providers',
  make: ({ config }) => new NetworkTable(rangesOf(config.providersFile)),
}

/** The ranges of the operator's file, or of the shipped one without it. Throws OperatorError. */
function rangesOf(path: string | undefined): ProviderRange[] {
  try {
    return readProviders(path ?? SHIPPED_PROVIDERS).flatMap(({ name, ranges }) =>
      ranges.map((cidr) => ({ cidr, name })),
    )
  } catch (error) {
    if (!(error instanceof NetworksFileError) || path === undefined) throw error
    throw new OperatorError(`PROVIDERS_FILE (${path}), ${error.message}`)
  }
}

/** Reads the list, which otherwise the first look-up does. Throws OperatorError if the operator's file is wrong. */
export function loadProviders({ resources }: Pick<Context, 'resources'>): void {
  resources.of(TABLE)
}

/** The name of the hosting or tunnel provider that the address belongs to; undefined if none is known. */
export const providerOf = (
  { resources }: Pick<Context, 'resources'>,
  address: Address | undefined,
): string | undefined => address && resources.of(TABLE).find(address)?.name
