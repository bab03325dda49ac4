import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'

export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-control font-semibold">
      <Mark />
      Tollgate
    </Link>
  )
}

export function Mark() {
  return (
    <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-control bg-brand text-on-brand">
      <ShieldCheck size={16} />
    </span>
  )
}
