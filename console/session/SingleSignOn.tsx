import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { SIGN_IN_REFUSALS, type SignInRefusal } from '../../server/contract/signIn.ts'
import { useHasPasswords, useProvider } from '../frame/deployment.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Link } from '../ui/text/Link.tsx'
import { finishSignIn, partOfLink } from './auth.ts'
import { Card } from './Card.tsx'
import { CodeForm } from './CodeForm.tsx'
import { signOut, useMaybeMe } from './me.ts'
import { ProviderButton } from './ProviderButton.tsx'

const route = getRouteApi('/session/sso')

const isRefusal = (code: string): code is SignInRefusal => Object.hasOwn(SIGN_IN_REFUSALS, code)

/** Where the identity provider’s sign-in ends if the person is not signed in by it: an error, or one more step. */
export function SingleSignOn() {
  const [error] = useState(() => partOfLink('error'))
  const [step] = useState(() => partOfLink('step'))
  const [email] = useState(() => partOfLink('email'))
  const { linking } = route.useSearch()
  const startOver = (
    <p>
      <Link to="/sign-in">Start over</Link>
    </p>
  )
  if (step === 'code')
    return (
      <Card title="Two-factor authentication" footer={startOver}>
        <CodeForm check={finish} onProved={async () => {}} />
      </Card>
    )
  if (step === 'link' || linking !== undefined) return <LinkAccount email={email} />
  return (
    <Card
      title="You are not signed in"
      description={SIGN_IN_REFUSALS[error !== null && isRefusal(error) ? error : 'sign-in-expired']}
    >
      <ProviderButton next={undefined} primary />
      <PageLink to="/sign-in">Other ways to sign in</PageLink>
    </Card>
  )
}

/** Continues as a new page, because the person may have been someone else before. */
const finish = async (code?: string) => location.assign((await finishSignIn(code)).next)

/** Asks for the password or a passkey of the account that has the address already, once. */
function LinkAccount({ email }: { email: string | null }) {
  const me = useMaybeMe()
  const provider = useProvider() ?? 'the identity provider'
  const hasPasswords = useHasPasswords()
  const link = useMutation({ meta: { inline: true }, mutationFn: () => finish() })
  const next = '/sso?linking=yes'
  const isOwn = me !== null && (email === null || me.user.email === email)
  return (
    <Card
      title="Link your account"
      description={
        isOwn
          ? `From now on, you can sign in to the account ${me.user.email} with ${provider}.`
          : `There is already an account for ${email ?? 'your address'}. Sign in to it once, with ${hasPasswords ? 'its password or a passkey' : 'a passkey'}. Then you can sign in with ${provider}.`
      }
      footer={
        <p>
          Not your account? <Link to="/sign-in">Start over</Link>
        </p>
      }
    >
      <ErrorNote error={link.error} />
      {isOwn ? (
        <Button look="primary" busy={link.isPending} onClick={() => link.mutate()}>
          Link account
        </Button>
      ) : me ? (
        <Button look="primary" onClick={() => void signOut(next)}>
          Sign out of {me.user.email}
        </Button>
      ) : (
        <PageLink to="/sign-in" search={{ next }} look="primary">
          Sign in to link
        </PageLink>
      )}
    </Card>
  )
}
