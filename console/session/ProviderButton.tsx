import { useProvider } from '../frame/deployment.ts'
import { ButtonLink } from '../ui/form/Button.tsx'

/** Leads to the identity provider, if there is one. `next`: where to go after signing in. */
export function ProviderButton({ next, primary = false }: { next: string | undefined; primary?: boolean }) {
  const provider = useProvider()
  if (provider === null) return null
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`
  return (
    <ButtonLink href={`/auth/oidc/start${query}`} look={primary ? 'primary' : 'secondary'}>
      Sign in with {provider}
    </ButtonLink>
  )
}
