import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const RETRY_MS = 3000

export type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code before the component is shown. Ignores errors. */
  preload: () => void
}

/**
 * A component whose code loads apart from the page: show it in a `Suspense`. While it can't be loaded, the fallback stays and
 * this tries again.
 */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> =>
  Object.assign(
    lazy(async () => {
      for (;;) {
        try {
          return { default: await load() }
        } catch {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        }
      }
    }),
    { preload: () => void load().catch(() => undefined) },
  )
