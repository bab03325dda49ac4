import { type ComponentType, lazy } from 'react'

const RETRY_MS = 3000

/**
 * A component whose code loads apart from the page: show it in a `Suspense`. While it can't be loaded, the fallback stays and
 * this tries again.
 */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    for (;;) {
      try {
        return { default: await load() }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  })
