import { lazy, useEffect } from 'react'
import { keepTenant } from '../session/home.ts'
import { Banners } from './Banners.tsx'
import { Layout } from './Layout.tsx'
import { Rail } from './Rail.tsx'
import { useTenant } from './useTenant.ts'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** Around every page of a tenant. */
export function Shell() {
  const { slug, name, viewEndsAt } = useTenant()
  // what one only looks at for a while is nobody's beginning
  useEffect(() => {
    if (viewEndsAt === null) keepTenant(slug)
  }, [slug, viewEndsAt])
  return <Layout name={name} Rail={Rail} banners={<Banners />} Palette={Palette} />
}
