import { useTenant } from '../frame/useTenant.ts'
import { Page } from '../ui/page/Page.tsx'
import { Address } from './Address.tsx'
import { Delete } from './Delete.tsx'
import { Name } from './Name.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** The tenant's settings: name, URL, two-factor rule and deletion. */
export function Settings() {
  const { name, slug } = useTenant()
  return (
    <Page title="Settings" context={name} description="Tenant settings. Each site has its own policy and limits.">
      <Name />
      <Address key={slug} />
      <SecondFactor />
      <Delete />
    </Page>
  )
}
