import { Reveal } from '../ui/text/Reveal.tsx'
import { envFile } from './snippets.ts'

/** Shows the keys of a new site once, with the file `.env` for the programs of the quick start. */
export function RevealKeys({
  site,
  action,
  finalFocus,
  onDone,
}: {
  /** Null: nothing to show. */
  site: { sitekey: string; secret: string } | null
  /** The text of the button, for example “Done”. */
  action: string
  /** What gets the focus afterwards, if what had it before is gone. */
  finalFocus?: () => HTMLElement | null
  onDone: () => void
}) {
  return (
    <Reveal
      title="Your site’s keys"
      description="Copy the secret key now – you won’t see it again. If you lose it, rotate it."
      name="Secret key"
      secret={site?.secret ?? null}
      others={
        site
          ? [
              { name: 'Site key', text: site.sitekey },
              { name: 'All settings, as .env', text: envFile(location.origin, site.sitekey, site.secret) },
            ]
          : []
      }
      action={action}
      finalFocus={finalFocus}
      onDone={onDone}
    />
  )
}
