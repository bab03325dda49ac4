import { getRouteApi } from '@tanstack/react-router'
import { Link } from '../ui/Link.tsx'
import { Card } from './Card.tsx'
import { CodeForm } from './CodeForm.tsx'
import { useEnter } from './useEnter.ts'

const route = getRouteApi('/session/two-factor')

/** After the password: the second factor. */
export function TwoFactor() {
  const { next } = route.useSearch()
  const enter = useEnter(next)
  return (
    <Card
      title="Second factor"
      description="Your password was right. Your account asks for one thing more."
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
