import { lazy, useEffect } from 'react'
import { keepTenant } from '../session/home.ts'
import { Banners } from './Banners.tsx'
import { Layout } from './Layout.tsx'
import { Rail } from './Rail.tsx'
import { useTenant } from './useTenant.ts'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** The layout of a tenant's pages. */
export function Shell() {
  const { slug, name, viewEndsAt } = useTenant()
  // a tenant that staff only view is not where their next visit starts
  useEffect(() => {
    if (viewEndsAt === null) keepTenant(slug)
  }, [slug, viewEndsAt])
  return <Layout name={name} Rail={Rail} banners={<Banners />} Palette={Palette} />
}
