import type { Description } from './describe.ts'
import { setAttributes } from './dom.ts'
import css from './element.css?inline'
import { ignoreErrors } from './events.ts'
import { type Language, PART } from './language.ts'
import type { Options } from './options.ts'
import { isWorking, type Session } from './session.ts'
import { drawIcon, drawLogo } from './shapes.ts'
import type { Theme } from './types.ts'

/** The visible part of a widget. It renders what it is given and reports when its button is pressed. */
export interface Box {
  readonly frame: HTMLElement
  draw(picture: View): void
}

export interface View {
  readonly session: Session
  readonly options: Pick<Options, 'endpoint' | 'theme' | 'size' | 'tabindex'>
  /** Absent while the language is loading: the box has its size then, but no text. */
  readonly content: { readonly language: Language; readonly description: Description } | undefined
}

/** Selects the host elements of boxes. */
export const BOX_SELECTOR = '[data-tollgate]'

const NAME = 'Tollgate'
const HOST = 'tollgate-box'

let sheet: CSSStyleSheet | undefined

/**
 * Creates the box. `onPress` is called when its checkbox or button is pressed, `onScheme` when the page has changed its color
 * scheme, `onMove` immediately after it was inserted into a document or shadow root, or removed from one.
 */
export function createBox(onPress: () => void, onScheme: () => void, onMove: () => unknown): Box {
  // A custom element, because no observer sees an insertion into a shadow root that is not observed yet. Clones do nothing.
  ignoreErrors(() => {
    class Host extends HTMLElement {
      declare onMove?: () => unknown
      connectedCallback() {
        this.onMove?.()
      }
      disconnectedCallback() {
        this.onMove?.()
      }
    }
    // Fails the second time.
    customElements.define(HOST, Host)
  })
  const frame = Object.assign(document.createElement(HOST), { onMove })
  frame.dataset['tollgate'] = ''
  const root = frame.attachShadow({ mode: 'open' })
  const icon = make('div', 'icon')
  const checkbox = make('button', 'checkbox')
  const message = make('div', 'message')
  const action = make('button', 'action')
  const box = make('div', 'box', icon, checkbox, message, make('div', 'brand', drawLogo(), NAME), action)
  let shownText = ''
  let shownState: Session['state'] | undefined

  setAttributes(box, { role: 'group', tabindex: '-1' })
  setAttributes(message, { role: 'status' })
  setAttributes(checkbox, { role: 'checkbox', 'aria-checked': 'false' })
  for (const button of [checkbox, action]) {
    button.type = 'button'
    button.addEventListener('click', onPress)
  }
  box.addEventListener('transitionend', ({ target }) => target === box && onScheme())
  applyStyle(root)
  root.append(box)

  /**
   * Shows a message, and only if it changed, so that screen readers announce it once. The elements are created anew,
   * because browsers count moved elements as a layout shift.
   */
  function showMessage(label = '', advice?: string, reference?: string, link?: string): void {
    const text = [label, advice, reference].join()
    if (text === shownText) return
    shownText = text
    message.replaceChildren(make('div', 'label', label))
    if (!advice) return
    // There is seldom space for both the reference and the name.
    const signature = make('a', 'reference', reference || NAME)
    if (link) setAttributes(signature, { href: link, target: '_blank' })
    message.append(make('div', 'advice', advice), make('div', 'signature', drawLogo(), signature))
  }

  return {
    frame,
    draw: ({ session, options, content }) => {
      const focused = root.activeElement as HTMLElement | null
      const { label, advice, reference, request, action: pressable } = content?.description ?? {}
      const working = isWorking(session)

      setAttributes(box, {
        lang: content?.language.tag,
        dir: content && 'auto',
        'aria-label': content?.language.text[PART.group],
        'data-state': session.state,
        'data-theme': options.theme === 'auto' ? themeOf(box) : options.theme,
        'data-size': options.size,
        'data-advice': advice && '',
      })
      setAttributes(icon, {
        role: working ? 'progressbar' : undefined,
        'aria-label': working ? label : undefined,
        'aria-valuenow': session.state === 'solving' ? `${Math.round(session.ratio * 100)}` : undefined,
      })
      // A quarter of the ring rotates while there is no ratio to show.
      const ratio = session.state === 'solving' ? Math.max(session.ratio, 0.02) : 0.25
      // An expired intent that can be renewed looks like one that has not been started.
      const verify = pressable === PART.verify
      const state = verify ? 'idle' : session.state
      if (state !== shownState) icon.replaceChildren(drawIcon(state))
      shownState = state
      icon.querySelector('.value')?.setAttribute('stroke-dashoffset', `${1 - ratio}`)

      if (verify) showMessage()
      else showMessage(label, advice, reference, request && `${options.endpoint}/r/${request}`)
      const face = content && pressable ? content.language.text[pressable] : ''
      for (const button of [checkbox, action]) {
        button.textContent = (button === checkbox) === verify ? face : ''
        button.hidden = !button.textContent
        button.tabIndex = options.tabindex
      }
      // Without this, the focus would return to the start of the page when the pressed button is hidden.
      if (focused?.hidden) box.focus({ preventScroll: true })
    },
  }
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  name: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.className = name
  element.append(...children)
  return element
}

/** The page's color scheme. Where it has none, `auto`: that of the browser. */
function themeOf(box: Element): Theme {
  const { caretColor, colorScheme } = getComputedStyle(box)
  // The scheme of a document can be set without CSS. The first number is that for red.
  if (Number.parseInt(caretColor.slice(4), 10) < 99) return 'dark'
  return /light/.test(colorScheme) ? 'light' : 'auto'
}

/** A constructed style sheet needs no permission by the content security policy. Older browsers get an element. */
function applyStyle(root: ShadowRoot): void {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
    }
    root.adoptedStyleSheets = [sheet]
  } catch {
    root.append(make('style', '', css))
  }
}
