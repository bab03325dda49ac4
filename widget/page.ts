import { callPage } from './events.ts'
import { createHelp } from './help.ts'
import { createLanguages } from './language.ts'
import { ATTRIBUTES } from './options.ts'
import solverFolder from './solver/folder'
import { createStartWorker, mainThread, webWorkers } from './solver/pool.ts'
import { createSolver } from './solver/solve.ts'
import { type EngineSource, loadEmitter, loadSource, scriptOf } from './solver/source.ts'
import textFolder from './text/folder'
import type { RenderOptions, SvcCaptcha, WidgetRef } from './types.ts'
import { createWidget, type Handlers, type Shared, type Widget } from './widget.ts'

const MAX_WORKERS = 8
const CONTAINER = '.svc-captcha'

/** What the page does for its widgets. */
type Hooks = Pick<Shared, 'watchRoots' | 'ready' | 'keep' | 'drop'>

/** All widgets of the page, as its scripts see them. */
export interface Page extends SvcCaptcha {
  /** Called for each script element, with the parameters of its URL. Not part of the public API. */
  include?(parameters: URLSearchParams): void
}

/**
 * `base` is the URL of widget.js; the other files are located relative to it. If it is unknown, those of the first endpoint are
 * used. Observes the document, and the shadow roots that contain widgets: the forms' events, changed attributes and, once it is
 * included without `render=explicit`, new containers.
 */
export function createPage(base: string | undefined): Page {
  const widgets = new Set<Widget>()
  /** Containers that are not rendered automatically: those of widgets, and of widgets that were removed through the API. */
  const rendered = new WeakSet<Element>()
  /** IDs of widgets, and selectors that were rendered. They are known also after a widget was removed. */
  const names = new Set<string>()
  let automatic = false
  let shared: Shared | undefined

  function findShared(endpoint: string): Shared {
    const url = base ?? (endpoint && `${endpoint}/widget.js`)
    // Without an address, all that is left to do is to report the missing option.
    return url ? (shared ??= createShared(url, hooks)) : createShared(document.baseURI, hooks)
  }

  const hooks: Hooks = {
    watchRoots,
    ready,
    keep,
    drop: (widget) => {
      if (!widgets.delete(widget)) return
      rendered.delete(widget.container)
      widget.pause()
    },
  }

  const handle = (event: Event) => {
    for (const widget of widgets) (widget.handlers[event.type] as (event: Event) => void)(event)
  }
  const observer = new MutationObserver((records) => {
    for (const { attributeName, target, addedNodes } of records) {
      for (const widget of widgets) {
        if (attributeName === 'lang' || widget.container === target) widget.updateOptions()
      }
      adopt(target as Element)
      for (const node of addedNodes) scan(node as Element)
    }
  })

  /** Has no further effect on those that are observed already. */
  function watchRoots(path: readonly Node[], handlers: Handlers): void {
    for (const root of path as readonly Document[]) {
      // Elements have lower numbers than documents and shadow roots.
      if (root.nodeType < 9) continue
      observer.observe(root, { subtree: true, childList: true, attributeFilter: ['class', 'lang', ...ATTRIBUTES] })
      // In the capture phase, so that a submit can be stopped before the page's listeners see it.
      for (const type in handlers) (root.defaultView ?? root).addEventListener(type, handle, true)
    }
  }

  /** The widget of an element, or that a script of the page means: undefined if it has been removed or is not rendered yet. */
  function find(ref: WidgetRef): Widget | undefined {
    const isName = typeof ref === 'string'
    const widget = [...widgets].find(
      ({ id, container }) => id === ref || container === ref || (isName && container.matches(ref)),
    )
    if (isName && !widget && !names.has(ref)) fail(ref)
    return widget
  }

  function render(el: Element | string, options: RenderOptions = {}): string {
    const container = typeof el === 'string' ? document.querySelector(el) : el
    // A list, or the object of a library.
    if (!container?.nodeType) fail(el)
    end(find(container))
    // Grows with each component.
    const id = `tollgate-${names.size}`
    const widget = createWidget(id, container as HTMLElement, options, findShared)
    names.add(id).add(typeof el === 'string' ? el : id)
    keep(widget)
    return id
  }

  /** Also continues a widget whose container has left the document and is back. */
  function keep(widget: Widget): void {
    if (widgets.has(widget)) return widget.updateOptions()
    rendered.add(widget.container)
    widgets.add(widget)
    widget.mount()
  }

  function end(widget: Widget | undefined): void {
    if (widget && widgets.delete(widget)) widget.remove()
  }

  function adopt(container: Element): void {
    if (automatic && container.isConnected && !rendered.has(container) && container.matches?.(CONTAINER)) {
      render(container)
    }
  }

  function scan(root: Element | Document): void {
    adopt(root as Element)
    for (const container of root.querySelectorAll?.(CONTAINER) ?? []) adopt(container)
  }

  function ready(fn: () => void): void {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => fn(), { once: true })
    else fn()
  }

  const { submit } = HTMLFormElement.prototype as { submit: (this: HTMLFormElement) => void }
  HTMLFormElement.prototype.submit = function () {
    if (![...widgets].map((widget) => widget.holdNative(this)).includes(true)) submit.call(this)
  }
  watchRoots([document], {})
  return {
    ready,
    render,
    remove: (ref) => end(find(ref)),
    execute: (ref) => find(ref)?.execute(),
    reset: (ref, options) => find(ref)?.reset(options?.intent),
    getResponse: (ref) => find(ref)?.getResponse() ?? '',
    isExpired: (ref) => find(ref)?.isExpired() ?? false,
    include: (parameters) => {
      const onload = parameters.get('onload')
      if (parameters.get('render') !== 'explicit') {
        automatic = true
        scan(document)
      }
      if (onload) ready(() => callPage(onload, []))
    },
  }
}

function fail(ref: unknown): never {
  throw new TypeError(`svcCaptcha: no such element or ID: ${ref as string}.`)
}

function createShared(base: string, hooks: Hooks): Shared {
  const folder = new URL(solverFolder, base).href
  const texts = new URL(textFolder, base)
  let search: Promise<EngineSource> | undefined
  let emitter: Promise<EngineSource> | undefined
  const source = async (hashwx: boolean, loaded = search as Promise<EngineSource> | string) =>
    hashwx ? (emitter ??= loadEmitter(folder)) : loaded
  const workers = webWorkers(base)
  return {
    ...hooks,
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
