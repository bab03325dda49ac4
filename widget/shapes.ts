/** The component's icons, created through the DOM because pages that enforce Trusted Types allow no HTML strings. */

import { setAttributes } from './dom.ts'
import type { Session } from './session.ts'

const SVG = 'http://www.w3.org/2000/svg'
/** Starts at twelve o'clock, so that a dash draws an arc from there. */
const RING = 'M12 1.5a10.5 10.5 0 0 1 0 21 10.5 10.5 0 0 1 0-21'
const PROGRESS = { track: RING, value: RING }
const ICONS: Readonly<Record<Session['state'], Readonly<Record<string, string>>>> = {
  idle: { square: 'M7 2h10a5 5 0 0 1 5 5v10a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5z' },
  loading: PROGRESS,
  solving: PROGRESS,
  solved: { disc: RING, mark: 'm7 12.5 3.4 3.4L17 9' },
  expired: { disc: RING, mark: 'M12 6.5V12l3.5 2.5' },
  error: { disc: RING, mark: 'M12 6.5V13m0 4v.1' },
}

/** The logo: a shield with the three arms of a turnstile. */
export function drawLogo(): SVGElement {
  return draw({
    plate: 'M12 1 21 4.2V11c0 5.6-3.7 9.9-9 12-5.3-2.1-9-6.4-9-12V4.2z',
    arms: 'M12 6v5.5l4.8 2.8m-4.8-2.8-4.8 2.8',
  })
}

/** The icon of a state. The arc that shows progress is its `.value`. */
export function drawIcon(state: Session['state']): SVGElement {
  return draw(ICONS[state])
}

/** Creates an SVG with a path of length 1 for each entry; the key is the path's class. */
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
