/** The component's drawings, made through the DOM: a page with Trusted Types allows no markup from strings. */

import { setAttributes } from './dom.ts'
import type { Session } from './session.ts'

const SVG = 'http://www.w3.org/2000/svg'
/** From twelve o'clock on, so that a part of it is an arc that begins there. */
const RING = 'M12 1.5a10.5 10.5 0 0 1 0 21 10.5 10.5 0 0 1 0-21'
const WORK = { track: RING, value: RING }
const DISC = 'M12 0a12 12 0 0 1 0 24 12 12 0 0 1 0-24'
const SIGNS: Readonly<Record<Session['state'], Readonly<Record<string, string>>>> = {
  idle: { square: 'M7 2h10a5 5 0 0 1 5 5v10a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5z' },
  loading: WORK,
  solving: WORK,
  solved: { disc: DISC, mark: 'm7 12.5 3.4 3.4L17 9' },
  expired: { disc: DISC, mark: 'M12 6.5V12l3.5 2.5' },
  error: { disc: DISC, mark: 'M12 6.5V13m0 4v.1' },
}

/** The mark: a shield with the three arms of a turnstile. */
export function drawMark(): SVGElement {
  return draw({
    plate: 'M12 1 21 4.2V11c0 5.6-3.7 9.9-9 12-5.3-2.1-9-6.4-9-12V4.2z',
    arms: 'M12 11.5V6M12 11.5l4.8 2.8M12 11.5l-4.8 2.8',
  })
}

/** The sign of a state; the arc of a ring is its `.value`. */
export function drawSign(state: Session['state']): SVGElement {
  return draw(SIGNS[state])
}

/** Draws paths, each of length 1, under their names. */
function draw(paths: Readonly<Record<string, string>>): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true' })
  for (const [name, d] of Object.entries(paths)) {
    const path = document.createElementNS(SVG, 'path')
    setAttributes(path, { class: name, d, pathLength: '1' })
    svg.append(path)
  }
  return svg
}
