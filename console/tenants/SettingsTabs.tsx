import { useTenant } from '../frame/useTenant.ts'
import { TabLink, TabNav } from '../ui/page/Tabs.tsx'

/** The pages of the tenant's settings. */
export function SettingsTabs() {
  const { slug, may } = useTenant()
  const params = { tenant: slug }
  if (!may('key.read') && !may('webhook.read')) return null
  return (
    <TabNav label="Settings">
      <TabLink to="/o/$tenant/settings" params={params} activeOptions={{ exact: true }}>
        General
      </TabLink>
      {may('key.read') && (
        <TabLink to="/o/$tenant/settings/api-keys" params={params}>
          API keys
        </TabLink>
      )}
      {may('webhook.read') && (
        <TabLink to="/o/$tenant/settings/webhooks" params={params}>
          Webhooks
        </TabLink>
      )}
    </TabNav>
  )
}
