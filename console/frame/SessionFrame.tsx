import { Outlet } from '@tanstack/react-router'
import { Bare } from './Bare.tsx'

/** The layout of the pages for signing in and up. */
export function SessionFrame() {
  return (
    <Bare>
      <Outlet />
    </Bare>
  )
}
