/**
 * The commands of the WebDriver protocol that the tests use: method and path of the W3C protocol, and the name that Firefox
 * has for the same command in its own protocol, Marionette.
 */
export const COMMANDS = {
  navigate: ['POST', '/url', 'WebDriver:Navigate'],
  back: ['POST', '/back', 'WebDriver:Back'],
  evaluate: ['POST', '/execute/sync', 'WebDriver:ExecuteScript'],
  act: ['POST', '/actions', 'WebDriver:PerformActions'],
  type: ['POST', '/element/{id}/value', 'WebDriver:ElementSendKeys'],
  role: ['GET', '/element/{id}/computedrole', 'WebDriver:GetComputedRole'],
  label: ['GET', '/element/{id}/computedlabel', 'WebDriver:GetComputedLabel'],
} as const

/** A browser that was started for a test file. */
export type Session = {
  /** As the browser reports it. */
  version: string
  send: (command: keyof typeof COMMANDS, parameters: Record<string, unknown>) => Promise<unknown>
  close: () => Promise<void>
}

/** One tab of a browser. A selector may lead through open shadow roots: `.host >>> button`. */
export type Browser = {
  version: string
  open(url: string): Promise<void>
  back(): Promise<void>
  /** The value of an expression. */
  evaluate<T>(expression: string): Promise<T>
  /** The text that the element shows. */
  text(selector: string): Promise<string>
  /** Role and name of the element, as the browser gives them to assistive technology. */
  accessible(selector: string): Promise<{ role: unknown; name: unknown }>
  click(selector: string): Promise<void>
  /** Focuses the element and types. */
  type(selector: string, text: string): Promise<void>
  /** Presses keys where the focus is. */
  press(...keys: (keyof typeof KEYS)[]): Promise<void>
  close(): Promise<void>
}

/** Key codes of the protocol. */
const KEYS = { Tab: '\uE004', Space: ' ' }
/** The property in which the protocol returns an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export function createBrowser({ version, send, close }: Session): Browser {
  const evaluate = (expression: string) => send('evaluate', { script: `return ${expression}`, args: [] })

  // not the protocol's command for a click: after it, Firefox does not keep the page for Back
  const act = (device: object) => send('act', { actions: [device] })

  async function find(selector: string): Promise<string> {
    const element = await evaluate(elementOf(selector))
    if (typeof element !== 'object' || element === null || !(ELEMENT in element)) throw new Error(`no ${selector}`)
    return String(element[ELEMENT])
  }

  return {
    version,
    open: async (url) => void (await send('navigate', { url })),
    back: async () => void (await send('back', {})),
    evaluate: async <T>(expression: string) => (await evaluate(expression)) as T,
    text: async (selector) => String(await evaluate(`${elementOf(selector)}?.innerText.trim()`)),
    async accessible(selector) {
      const id = await find(selector)
      return { role: await send('role', { id }), name: await send('label', { id }) }
    },
    async click(selector) {
      const origin = { [ELEMENT]: await find(selector) }
      const strokes = [
        { type: 'pointerMove', origin, x: 0, y: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: strokes })
    },
    type: async (selector, text) => void (await send('type', { id: await find(selector), text })),
    async press(...keys) {
      const strokes = keys.flatMap((key) => [
        { type: 'keyDown', value: KEYS[key] },
        { type: 'keyUp', value: KEYS[key] },
      ])
      await act({ type: 'key', id: 'keyboard', actions: strokes })
    },
    close,
  }
}

const elementOf = (selector: string): string =>
  `${JSON.stringify(selector.split(' >>> '))}.reduce((root, part) => (root?.shadowRoot ?? root)?.querySelector(part), document)`
