import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Search as SearchSign } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { toastError } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Attention } from './Attention.tsx'
import { type Found, find, foundOptions, linkTo, mayBeSecret } from './find.ts'
import { Hits, Nothing, SecretHits } from './Hits.tsx'

const route = getRouteApi('/staff/')

/** One box for whatever a ticket names. A single hit is opened at once. */
export function Search() {
  const { q = '' } = route.useSearch()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  /** What a secret led to; never the secret. */
  const [leaked, setLeaked] = useState<Found | null>(null)
  const found = useQuery({ ...foundOptions(q), enabled: q !== '' })

  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form).get('text')
    const text = typeof typed === 'string' ? typed.trim() : ''
    const secret = mayBeSecret(text)
    setLeaked(null)
    if (secret) form.reset()
    if (text === '') return navigate({ to: '/staff', search: {} })
    setBusy(true)
    try {
      const answer = await find(text)
      const [hit, ...others] = answer.hits
      const target = hit && others.length === 0 ? linkTo(hit) : null
      if (secret) {
        setLeaked(answer)
        await navigate({ to: '/staff', search: {} })
      } else if (target) await navigate(target)
      else await navigate({ to: '/staff', search: { q: text } })
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Page title="Search" context="Staff" description="One box for any id, key, address or reference, in every tenant.">
      <search>
        <form onSubmit={(event) => void ask(event)} className="flex gap-2" key={q}>
          <div className="relative min-w-0 grow">
            <SearchSign size={18} aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 text-ink-2" />
            <input
              name="text"
              type="text"
              aria-label="Search everything"
              aria-describedby="takes"
              defaultValue={q}
              placeholder="Paste or type…"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={500}
              className={`${INPUT} h-12! pl-11 text-16!`}
            />
          </div>
          {/* as high as the box */}
          <span className="flex *:h-12! *:px-6!">
            <Button type="submit" look="primary" busy={busy}>
              Find
            </Button>
          </span>
        </form>
        <p id="takes" className="mt-2 max-w-200 text-12 text-ink-2">
          Takes <Sample>dec_…</Sample> <Sample>req_…</Sample> <Sample>tg_site_…</Sample>, the id of an intent, grant,
          feedback event, site or tenant, an e-mail address, a tenant’s name, or the reference that a visitor reads out:{' '}
          <Sample>Ref. 89abcdef</Sample>
        </p>
      </search>
      {leaked ? (
        <SecretHits found={leaked} />
      ) : found.error ? (
        <ErrorPanel error={found.error} retrying={found.isFetching} onRetry={() => void found.refetch()} />
      ) : q === '' ? (
        <Attention />
      ) : (
        found.data && (found.data.hits.length > 0 ? <Hits found={found.data} /> : <Nothing found={found.data} />)
      )}
    </Page>
  )
}

const Sample = ({ children }: { children: string }) => <code className="font-mono whitespace-nowrap">{children}</code>
