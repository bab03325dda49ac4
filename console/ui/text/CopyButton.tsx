import { Link2, type LucideIcon } from 'lucide-react'
import { IconButton } from '../form/IconButton.tsx'
import { toast } from '../overlay/toast.ts'

/** A button with an icon that copies a text and says so. */
export function CopyButton({
  text,
  copied,
  icon,
  label,
}: {
  text: () => string
  /** What is said afterwards. */
  copied: string
  icon: LucideIcon
  label: string
}) {
  return <IconButton framed icon={icon} label={label} onClick={() => void copy(text(), copied)} />
}

/** Copies a text, and says so. `copied`: what is said afterwards. */
export async function copy(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(copied)
  } catch {
    toast('Could not copy', { description: 'The browser does not allow it here.' })
  }
}

/** Copies the address of the page, which has its period and filters. */
export const CopyLink = () => (
  <CopyButton text={() => location.href} copied="Link copied" icon={Link2} label="Copy link" />
)
