import { Outlet } from '@tanstack/react-router'
import { Bare } from './Bare.tsx'

/** What stands around the pages of signing in. */
export function SessionFrame() {
  return (
    <Bare>
      <Outlet />
    </Bare>
  )
}
