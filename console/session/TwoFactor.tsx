import { getRouteApi } from '@tanstack/react-router'
import { Link } from '../ui/text/Link.tsx'
import { Card } from './Card.tsx'
import { CodeForm } from './CodeForm.tsx'
import { useEnter } from './useEnter.ts'

const route = getRouteApi('/session/two-factor')

/** Asks for the second factor after the password. */
export function TwoFactor() {
  const { next } = route.useSearch()
  const enter = useEnter(next)
  return (
    <Card
      title="Two-factor authentication"
      description="Enter the six-digit code from your authenticator app."
      footer={
        <p>
          Wrong account?{' '}
          <Link to="/sign-in" search={{ next }}>
            Start over
          </Link>
        </p>
      }
    >
      <CodeForm onProved={enter} />
    </Card>
  )
}
