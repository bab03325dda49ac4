import type { Page } from '@playwright/test'
import { consoleUrl, openTenant, signIn } from './member.ts'
import type { Service } from './service.ts'

/** Signs one of our own people in, who is a member of no tenant. The second factor is marked, there is no authenticator. */
export async function openStaff(page: Page, service: Service, level: 'support' | 'lead'): Promise<{ userId: string }> {
  const member = await openTenant(service, 'Desk')
  await service.sql.query('delete from member where user_id = $1', [member.userId])
  await service.sql.query('update "user" set staff_level = $2::staff_level where id = $1', [member.userId, level])
  await signIn(page, service, member)
  await service.sql.query('update "user" set two_factor_enabled = true where id = $1', [member.userId])
  return member
}

/** A page of the staff console. `path`: after its first page's, with its slash, or a query. */
export const staffUrl = (service: Service, path = ''): string => `${consoleUrl(service)}/staff${path}`
