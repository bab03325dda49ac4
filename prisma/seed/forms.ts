import type { Sites } from './context.ts'

/** A form of a site, and how many visitors it has per day. */
export type Form = {
  tenant: string
  site: string
  hostname: string
  action: string
  /** Visits on a working day; about one in eight is not finished. */
  daily: number
  /** The factor for Saturday and Sunday. */
  weekend: number
}

const form = (
  { id, tenantId }: { id: string; tenantId: string },
  hostname: string,
  action: string,
  daily: number,
  weekend: number,
): Form => ({ tenant: tenantId, site: id, hostname, action, daily, weekend })

export const formsOf = ({ shop, storefront, portal, boxOffice, fanClub }: Sites): Form[] => [
  form(shop, 'localhost', 'checkout', 8, 0.4),
  form(shop, 'localhost', 'signup', 4, 0.4),
  form(storefront, 'shop.demo.example', 'checkout', 76, 1.3),
  form(storefront, 'www.demo.example', 'signup', 38, 1.2),
  form(storefront, 'www.demo.example', 'contact', 14, 0.5),
  form(portal, 'account.demo.example', 'login', 82, 0.6),
  form(portal, 'account.demo.example', 'password-reset', 11, 0.6),
  form(boxOffice, 'tickets.northwind.example', 'reserve', 190, 1.5),
  form(boxOffice, 'tickets.northwind.example', 'checkout', 88, 1.5),
  form(fanClub, 'fans.northwind.example', 'signup', 30, 1.4),
  form(fanClub, 'fans.northwind.example', 'vote', 26, 1.7),
]

/** An attacker with a few machines, for some hours of one night. */
export type Attack = {
  tenant: string
  site: string
  hostname: string
  action: string
  /** Hours ago; about as many visits in each of the hours. */
  from: number
  hours: number
  hourly: number
  /** How often the difficulty of the whole site doubles. */
  surge: number
}

const attack = (
  { id, tenantId }: { id: string; tenantId: string },
  hostname: string,
  action: string,
  when: Pick<Attack, 'from' | 'hours' | 'hourly' | 'surge'>,
): Attack => ({ tenant: tenantId, site: id, hostname, action, ...when })

/** How many hours ago the release went live whose new host was not allowed, and how many seconds until it was. */
export const RELEASE = {
  hostname: 'checkout.demo.example',
  hoursAgo: 13 * 24 - 10,
  brokenSeconds: 2700,
  everySeconds: 9,
}

export const attacksOn = ({ storefront, boxOffice }: Sites): Attack[] => [
  // stolen cards are tested until the site reaches the maximum difficulty
  attack(storefront, 'shop.demo.example', 'checkout', { from: 9 * 24 - 5, hours: 6, hourly: 190, surge: 2 }),
  // accounts for spam are made, at this moment
  attack(storefront, 'www.demo.example', 'signup', { from: 1, hours: 1, hourly: 200, surge: 0 }),
  // tickets are bought for resale
  attack(boxOffice, 'tickets.northwind.example', 'reserve', { from: 4 * 24 + 3, hours: 2, hourly: 240, surge: 2 }),
]

/** The distribution of a day's visits over its hours, UTC: quiet nights, a peak at noon and one in the evening. */
const SHAPE = [14, 9, 6, 5, 6, 9, 18, 32, 47, 58, 66, 71, 74, 68, 61, 58, 60, 66, 74, 82, 80, 64, 42, 25]
const WHOLE = SHAPE.reduce((sum, hour) => sum + hour, 0)
export const DAY_CURVE: readonly number[] = SHAPE.map((hour) => hour / WHOLE)
