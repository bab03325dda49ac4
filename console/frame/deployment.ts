import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, trpc } from '../trpc.ts'

// What this deployment is and offers.

/** Mode and version do not change while a page is open. */
const options = () => trpc.system.overview.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY })

/** Loaded before a page with banners is shown, so that they do not shift it. A failure is ignored. */
export async function prefetchDeployment(): Promise<void> {
  await queryClient.prefetchQuery(options())
}

/** The same for a route; undefined if the service does not answer. */
export async function fetchDeployment() {
  await prefetchDeployment()
  return queryClient.getQueryData(options().queryKey)
}

/** Whether this is an evaluation; false while unknown. */
export const useIsEvaluation = (): boolean => useQuery(options()).data?.mode === 'evaluation'

/** Whether only invited people may create an account; false while unknown. */
export const useIsByInvitation = (): boolean => useQuery(options()).data?.signUp === false

/** Whether sites can use grants; true while unknown. */
export const useHasGrants = (): boolean => useQuery(options()).data?.grants !== false

/** Whether people can sign in with a password; true while unknown. */
export const useHasPasswords = (): boolean => useQuery(options()).data?.passwords !== false

/** The name of the identity provider that people can sign in with; null without one, and while unknown. */
export const useProvider = (): string | null => useQuery(options()).data?.provider ?? null

/** Where this deployment serves the docs; null if it does not, and while unknown. */
export const useDocsUrl = (): string | null => useQuery(options()).data?.docsUrl ?? null

/** What happened in the demo data, each with its page of the console; empty outside an evaluation, and while unknown. */
export const useStory = () => useQuery(options()).data?.story ?? []

/** Where to reach the operator of this deployment; null if unknown. */
export const useSupportUrl = (): string | null => useQuery(options()).data?.supportUrl ?? null

/** The names in /sdk.json of the package of each SDK, and of the component. */
const PACKAGES = {
  node: '@tollgate/node',
  python: 'tollgate-captcha',
  php: 'tollgate/tollgate',
  widget: '@tollgate/widget',
} as const

type Listed = { name: string; install: string; file: string; url: string }

const packagesOptions = queryOptions({
  queryKey: ['sdk.json'],
  queryFn: async ({ signal }) => {
    const reply = await fetch('/sdk.json', { signal })
    if (!reply.ok) throw new Error(`/sdk.json answered ${reply.status}`)
    return ((await reply.json()) as { packages: Listed[] }).packages
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether the install commands are still loading. */
export const useIsLoadingPackages = (): boolean => useQuery(packagesOptions).isPending

/** What this deployment serves at /sdk/, by name; undefined while loading. */
function usePackages(): (name: string) => Listed | undefined {
  const { data = [] } = useQuery(packagesOptions)
  return (name) => data.find((listed) => listed.name === name)
}

/** The command that installs each package from this deployment; undefined while loading. */
export function useInstallCommands(): Record<keyof typeof PACKAGES, string | undefined> {
  const find = usePackages()
  const install = (name: keyof typeof PACKAGES) => find(PACKAGES[name])?.install
  return { node: install('node'), python: install('python'), php: install('php'), widget: install('widget') }
}

/** The archive of the plugin for WordPress; undefined while loading. */
export const useWordPressPlugin = (): Listed | undefined => usePackages()('tollgate-wordpress')
