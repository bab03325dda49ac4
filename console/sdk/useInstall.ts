import { useQuery } from '@tanstack/react-query'

/** The package of each SDK, by its name in /sdk.json. */
const PACKAGES = { node: '@tollgate/node', python: 'tollgate-captcha' } as const

export type Sdk = keyof typeof PACKAGES

type Listed = { name: string; install: string }

/** The command that installs each SDK from this deployment; undefined while loading. */
export function useInstall(): Record<Sdk, string | undefined> {
  const { data = [] } = useQuery({
    queryKey: ['sdk.json'],
    queryFn: async ({ signal }) => {
      const reply = await fetch('/sdk.json', { signal })
      if (!reply.ok) throw new Error(`/sdk.json answered ${reply.status}`)
      return ((await reply.json()) as { packages: Listed[] }).packages
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const find = (name: string) => data.find((listed) => listed.name === name)?.install
  return { node: find(PACKAGES.node), python: find(PACKAGES.python) }
}
