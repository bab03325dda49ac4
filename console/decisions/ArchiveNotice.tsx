import { useQuery } from '@tanstack/react-query'
import { useSupportUrl } from '../frame/deployment.ts'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Notice } from '../ui/page/Notice.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { LOCALE } from '../ui/text/zone.ts'

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })

/** Says which decisions are archived and whom to ask for one, if decisions from this time on (Unix seconds) are among them. */
export function ArchiveNotice({ from }: { from: number }) {
  const { slug } = useTenant()
  const { data } = useQuery(trpc.decisions.archive.queryOptions({ tenant: slug }, { staleTime: 3_600_000 }))
  const supportUrl = useSupportUrl()
  if (data?.before == null || from >= data.before) return null
  return (
    <Notice tone="info" title={`Decisions before ${DAY.format(data.before * 1000)} (UTC) are archived`}>
      They are not shown here. Usage and statements still count them. To look one up,{' '}
      {supportUrl === null ? (
        'ask the operator of this service.'
      ) : (
        <>
          <OuterLink href={supportUrl}>contact support</OuterLink> with its id.
        </>
      )}
    </Notice>
  )
}
