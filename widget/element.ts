import type { Description } from './describe.ts'
import { setAttributes } from './dom.ts'
import css from './element.css?inline'
import { type Language, PART } from './language.ts'
import type { Options } from './options.ts'
import { isWorking, type Session } from './session.ts'
import { drawMark, drawSign } from './shapes.ts'

/** All that can be seen of a widget. It decides nothing: it draws what it is given, and says when it is pressed. */
export interface Box {
  readonly host: HTMLElement
  draw(picture: Picture): void
}

export interface Picture {
  readonly session: Session
  readonly options: Pick<Options, 'theme' | 'size' | 'tabindex'>
  /** Absent while the language is being fetched: until then the box keeps its room without words. */
  readonly words: { readonly language: Language; readonly description: Description } | undefined
}

/** Where there is a box, for whoever looks for one from outside. */
export const OURS = '[data-tollgate]'

const NAME = 'Tollgate'

let sheet: CSSStyleSheet | undefined

/** Makes the box; `onPress` is whatever its button means at the time. */
export function createBox(onPress: () => void): Box {
  const host = document.createElement('div')
  host.dataset['tollgate'] = ''
  const root = host.attachShadow({ mode: 'open' })
  const sign = make('div', 'sign')
  const check = make('button', 'check')
  const words = make('div', 'words')
  const action = make('button', 'action')
  const box = make('div', 'box', sign, check, words, make('div', 'brand', drawMark(), NAME), action)
  let spoken = ''
  let shown: Session['state'] | undefined

  setAttributes(box, { role: 'group', tabindex: '-1' })
  setAttributes(words, { role: 'status' })
  setAttributes(check, { role: 'checkbox', 'aria-checked': 'false' })
  for (const button of [check, action]) {
    button.type = 'button'
    button.addEventListener('click', onPress)
  }
  applyStyle(root)
  root.append(box)

  /**
   * Says a message once, for a screen reader to read it out once. All of it is made anew: to the browser's eye what is
   * new appears, while what is moved is a shift of the layout.
   */
  function say(label = '', advice?: string, reference?: string): void {
    const message = [label, advice, reference].join()
    if (message === spoken) return
    spoken = message
    words.replaceChildren(make('div', 'label', label))
    if (!advice) return
    // Beside a reference there is seldom room for the name: the mark stands for it.
    const signature = make('div', 'signature', drawMark(), make('span', 'reference', reference || NAME))
    words.append(make('div', 'advice', advice), signature)
  }

  return {
    host,
    draw: ({ session, options, words: said }) => {
      const focused = root.activeElement
      const { label, advice, reference, action: pressable } = said?.description ?? {}
      const working = isWorking(session)

      setAttributes(box, {
        lang: said?.language.tag,
        dir: said && 'auto',
        'aria-label': said?.language.text[PART.group],
        'data-state': session.state,
        'data-theme': options.theme,
        'data-size': options.size,
      })
      setAttributes(sign, {
        role: working ? 'progressbar' : undefined,
        'aria-label': working ? label : undefined,
        'aria-valuenow': session.state === 'solving' ? `${Math.round(session.ratio * 100)}` : undefined,
      })
      // A quarter of a ring turns while there is no ratio to show.
      const ratio = session.state === 'solving' ? Math.max(session.ratio, 0.02) : 0.25
      if (session.state !== shown) sign.replaceChildren(drawSign(session.state))
      shown = session.state
      sign.querySelector('.value')?.setAttribute('stroke-dashoffset', `${1 - ratio}`)

      const verify = pressable === PART.verify
      if (verify) say()
      else say(label, advice, reference)
      const face = said && pressable ? said.language.text[pressable] : ''
      for (const button of [check, action]) {
        button.textContent = (button === check) === verify ? face : ''
        button.hidden = button.textContent === ''
        button.tabIndex = options.tabindex
      }
      // The pressed button is gone: without this the focus would fall back to the start of the page.
      if ([check, action].some((button) => button === focused && button.hidden)) box.focus({ preventScroll: true })
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

/** A constructed style sheet needs no leave from the page's content policy; browsers without them get an element. */
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
