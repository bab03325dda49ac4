import { BOX_SELECTOR } from './element.ts'
import { createHelp } from './help.ts'
import { createLanguages } from './language.ts'
import { ATTRIBUTES, readOptions } from './options.ts'
import solverFolder from './solver/folder'
import { createStartWorker, mainThread, webWorkers } from './solver/pool.ts'
import { createSolver } from './solver/solve.ts'
import { type EngineSource, loadEmitter, loadSource, scriptOf } from './solver/source.ts'
import textFolder from './text/folder'
import type { RenderOptions, SvcCaptcha, WidgetRef } from './types.ts'
import { createWidget, type Shared, type Widget } from './widget.ts'

const MAX_WORKERS = 8

/** All widgets of the page. */
export interface Page {
  readonly api: SvcCaptcha
  /** Starts to observe the document: changed attributes, removed containers and, if `automatic`, new ones. */
  startObserving(): void
}

/**
 * `base` is the URL of widget.js; the other files are located relative to it. If it is unknown, those of the first endpoint
 * are used. `automatic` renders every `.svc-captcha` that the page contains now or later; otherwise the page calls `render`.
 */
export function createPage(base: string | undefined, automatic: boolean): Page {
  const widgets = new Set<Widget>()
  /** Containers whose widget was removed through the API. They are not rendered automatically again. */
  const removed = new WeakSet<Element>()
  /** Containers that were rendered before they were inserted into the document. They count as present. */
  const detached = new WeakSet<Element>()
  /** Widgets whose container has left the document, with their box in it. They continue when it is back. */
  const aside = new WeakMap<Element, Widget>()
  const containers = document.getElementsByClassName('svc-captcha')
  let shared: Shared | undefined
  let count = 0

  function find(ref: WidgetRef): Widget | undefined {
    return [...widgets].find(({ id, container }) => id === ref || container === ref)
  }

  function render(el: HTMLElement | string, options: RenderOptions = {}): string {
    const container = typeof el === 'string' ? document.querySelector<HTMLElement>(el) : el
    if (!container) throw new TypeError(`svcCaptcha.render: no such element`)
    remove(container)
    aside.delete(container)
    removed.delete(container)
    if (!container.isConnected) detached.add(container)
    count += 1
    const widget = createWidget(
      `tollgate-${count}`,
      container,
      options,
      findShared(readOptions(container, options).endpoint),
    )
    widgets.add(widget)
    widget.mount()
    return widget.id
  }

  function findShared(endpoint: string): Shared {
    const url = base ?? (endpoint && `${endpoint}/widget.js`)
    // Without an address, all that is left to do is to report the missing option.
    return url ? (shared ??= createShared(url)) : createShared(document.baseURI)
  }

  function remove(ref: WidgetRef): void {
    const widget = find(ref)
    if (!widget) return
    widgets.delete(widget)
    removed.add(widget.container)
    widget.remove()
  }

  function restore(container: Element): void {
    const widget = aside.get(container)
    if (!widget || !aside.delete(container)) return
    widgets.add(widget)
    widget.mount()
  }

  /** Updates the widgets to match the document. */
  function sync(): void {
    for (const widget of widgets) {
      const { container } = widget
      if (container.isConnected) {
        detached.delete(container)
        widget.reattach()
      } else if (!detached.has(container)) {
        widgets.delete(widget)
        widget.pause()
        aside.set(container, widget)
      }
    }
    if (!automatic) return
    for (const container of containers) {
      if (container instanceof HTMLElement && !find(container) && !removed.has(container)) render(container)
    }
  }

  function startObserving(): void {
    const observer = new MutationObserver((records) => {
      for (const { attributeName, target, addedNodes } of records) {
        for (const widget of widgets) {
          if (attributeName && (attributeName === 'lang' || widget.container === target)) widget.updateOptions()
        }
        for (const node of addedNodes) {
          for (const box of node instanceof Element ? node.querySelectorAll(BOX_SELECTOR) : [])
            restore(box.parentElement as Element)
        }
      }
      sync()
    })
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ['class', 'lang', ...ATTRIBUTES] })
    const resume = ({ type }: Event) => {
      for (const widget of widgets) widget.resume(type === 'pageshow')
    }
    addEventListener('pageshow', (event) => event.persisted && resume(event))
    document.addEventListener('visibilitychange', resume)
    addEventListener('online', resume)
    sync()
  }

  const api: SvcCaptcha = {
    ready: (fn) => {
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => fn(), { once: true })
      else fn()
    },
    render,
    remove,
    execute: (ref) => find(ref)?.execute(),
    reset: (ref, options) => find(ref)?.reset(options?.intent),
    getResponse: (ref) => find(ref)?.getResponse() ?? '',
    isExpired: (ref) => find(ref)?.isExpired() ?? false,
  }
  return { api, startObserving }
}

function createShared(base: string): Shared {
  const folder = new URL(solverFolder, base).href
  const texts = new URL(textFolder, base)
  let search: Promise<EngineSource> | undefined
  let emitter: Promise<EngineSource> | undefined
  const source = async (hashwx: boolean, loaded = search as Promise<EngineSource> | string) =>
    hashwx ? (emitter ??= loadEmitter(folder)) : loaded
  const workers = webWorkers(base)
  return {
    solver: createSolver({
      // One core is left to the page. Browsers that hide the number of cores are assumed to have two.
      workers: Math.min(MAX_WORKERS, (navigator.hardwareConcurrency || 2) - 1),
      ways: [
        createStartWorker(workers, source),
        createStartWorker(mainThread, source),
        createStartWorker(mainThread, (hashwx) => source(hashwx, scriptOf(folder))),
      ],
      // WebAssembly that did not arrive is downloaded again with each run.
      preload: () => {
        const load = () => loadSource(folder)
        search = Promise.resolve(search).then((known) => (typeof known === 'object' ? known : load()), load)
        void Promise.all([workers(), search]).catch(() => undefined)
      },
    }),
    loadLanguage: createLanguages(texts),
    help: createHelp(new URL('help.json', texts)),
  }
}
