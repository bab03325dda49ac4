import { useTenant } from '../frame/useTenant.ts'
import { Page } from '../ui/Page.tsx'
import { Address } from './Address.tsx'
import { Delete } from './Delete.tsx'
import { Name } from './Name.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** The tenant itself: what it is called, where it is found, whom it lets in, and its end. */
export function Settings() {
  const { name, slug } = useTenant()
  return (
    <Page title="Settings" context={name} description="Of the tenant. Policies and limits belong to each site.">
      <Name />
      <Address key={slug} />
      <SecondFactor />
      <Delete />
    </Page>
  )
}
