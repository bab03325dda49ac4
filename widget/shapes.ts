/** The component's drawings, made through the DOM: a page with Trusted Types allows no markup from strings. */

const SVG = 'http://www.w3.org/2000/svg'
const CIRCLE = { cx: '12', cy: '12', r: '10.5', pathLength: '1' }

/** The mark: a shield with the three arms of a turnstile. */
export function drawMark(): SVGElement {
  return draw(
    ['path', 'plate', { d: 'M12 1 21 4.2V11c0 5.6-3.7 9.9-9 12-5.3-2.1-9-6.4-9-12V4.2z' }],
    ['path', 'arms', { d: 'M12 11.5V6M12 11.5l4.8 2.8M12 11.5l-4.8 2.8' }],
  )
}

/** All signs of all states, one above the other; the style shows those of the state. `.value` is the ring's arc. */
export function drawSign(): SVGElement {
  return draw(
    ['rect', 'square', { x: '2', y: '2', width: '20', height: '20', rx: '5' }],
    ['circle', 'track', CIRCLE],
    ['circle', 'value', CIRCLE],
    ['circle', 'disc', { ...CIRCLE, r: '12' }],
    ['path', 'tick', { d: 'm7 12.5 3.4 3.4L17 9', pathLength: '1' }],
    ['path', 'bang', { d: 'M12 6.5V13m0 4v.1' }],
    ['path', 'clock', { d: 'M12 6.5V12l3.5 2.5' }],
  )
}

function draw(...shapes: [tag: string, name: string, attributes: Record<string, string>][]): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  for (const [tag, name, attributes] of shapes) {
    const shape = document.createElementNS(SVG, tag)
    for (const [key, value] of Object.entries({ class: name, ...attributes })) shape.setAttribute(key, value)
    svg.append(shape)
  }
  return svg
}
