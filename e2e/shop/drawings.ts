import type { Product } from './catalogue.ts'
import { type Html, html } from './html.ts'

/** The shop's mark: a penny-farthing. It takes the colour of the text beside it. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 40 40" aria-hidden="true">
  <circle cx="16" cy="22" r="14.5" /><circle cx="16" cy="22" r="2" /><circle cx="34.5" cy="33" r="4" />
  <path d="M16 22V5.500h4M16 5.500c11 1 15.5 12 18.5 27.500M10 4.500h6" />
</svg>`

/** The same mark as a file of its own, for the browser's tab. */
export const favicon: Html = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
  <rect width="40" height="40" rx="9" fill="#8f2d22" />
  <g transform="translate(5.5 5.5) scale(.72)" fill="none" stroke="#fbf3e4" stroke-width="3" stroke-linecap="round">
    <circle cx="16" cy="22" r="14.5" /><circle cx="34.5" cy="33" r="4" />
    <path d="M16 22V5.500h4M16 5.500c11 1 15.5 12 18.5 27.500M10 4.500h6" />
  </g>
</svg>`

const parts: Readonly<Record<Product['slug'], Html>> = {
  bell: html`<g class="drawing">
    <path class="steel" d="M18 137h204v13H18z" />
    <path class="dark" d="M104 122h32v40a6 6 0 0 1-6 6h-20a6 6 0 0 1-6-6z" />
    <path class="line" d="M112 152h16" />
    <path class="brass-deep" d="M62 110h116a6 6 0 0 1 0 12H62a6 6 0 0 1 0-12z" />
    <path class="brass" d="M66 110a54 54 0 0 1 108 0z" />
    <path class="shine" d="M80 100a40 40 0 0 1 26-31" />
    <path class="line-deep" d="M66.5 102h107" />
    <circle class="brass-deep" cx="120" cy="54" r="7" />
    <path class="rod" d="M170 116c14 0 22-8 30-22" /><circle class="dark" cx="203" cy="89" r="9" />
    <path class="ring" d="M44 76a80 80 0 0 1 18-28M30 68a98 98 0 0 1 22-34" />
  </g>`,
  saddle: html`<g class="drawing">
    <path class="steel" d="M124 118h17v62h-17z" />
    <path class="rod" d="M60 90c14 26 36 36 72 36h54" />
    <path class="rod-thin" d="M174 104h24M174 112h24M174 120h24" />
    <path class="dark" d="M114 115h38a5 5 0 0 1 5 5v9a5 5 0 0 1-5 5h-38a5 5 0 0 1-5-5v-9a5 5 0 0 1 5-5z" />
    <path class="leather" d="M28 76c2-9 18-12 34-11 30 2 54 0 78-7 22-6 52-13 66-5 13 8 12 30 2 42-11 13-34 16-58 10-28-7-44-15-74-15-22 0-50-1-48-14z" />
    <path class="stitch" d="M36 78c26-5 70 0 106-10 22-6 46-10 58-5" />
    <circle class="copper" cx="204" cy="70" r="4" /><circle class="copper" cx="202" cy="86" r="4" /><circle class="copper" cx="40" cy="84" r="3.5" />
    
  </g>`,
  lamp: html`<g class="drawing">
    <path class="beam" d="M152 44 240 13v158l-88-35z" />
    <path class="dark" d="M92 132h26v26a6 6 0 0 1-6 6H98a6 6 0 0 1-6-6z" /><path class="steel" d="M48 162h114v11H48z" />
    <path class="enamel" d="M144 40c-52 0-88 20-88 50s36 50 88 50z" />
    <path class="shine" d="M74 78c8-14 26-22 48-25" />
    <circle class="brass-deep" cx="54" cy="90" r="8" />
    <path class="brass" d="M142 34h8a7 7 0 0 1 7 7v98a7 7 0 0 1-7 7h-8z" />
    <path class="glass" d="M157 46c12 8 18 26 18 44s-6 36-18 44z" />
    <path class="line" d="M160 66c4 14 4 34 0 48" />
    <path class="brass-deep" d="M96 36h30l-4 8h-22z" />
  </g>`,
}

/** A part on its plate. `title` names it for people who do not see it; without one it is decoration. */
export function drawPart(slug: Product['slug'], title?: string): Html {
  return html`<svg class="plate plate-${slug}" viewBox="0 0 240 200" ${title === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${title}"`}>
    ${parts[slug]}
  </svg>`
}

const spokeAngles = Array.from({ length: 18 }, (_, index) => (index * Math.PI) / 9)

function drawWheel(x: number, y: number): Html {
  return html`<g transform="translate(${x} ${y})">
    <circle class="tyre" r="86" /><circle class="rim" r="78" />
    <path class="spoke" d="${spokeAngles.map(drawSpoke).join('')}" />
    <circle class="hub" r="8" />
  </g>`
}

/** From the hub's flange to the rim, laced at a slant as real ones are. */
function drawSpoke(angle: number): string {
  const [near, far] = [angle + 0.6, angle]
  const points = [7 * Math.cos(near), 7 * Math.sin(near), 78 * Math.cos(far), 78 * Math.sin(far)]
  return `M${points.map((point) => point.toFixed(1)).join(' ')}`
}

/** The bicycle of the front page, wearing all three parts. */
export const bicycle: Html = html`<svg class="bicycle" viewBox="0 0 560 350" role="img" aria-label="A touring bicycle with a brass bell, a leather saddle and a front lamp">
  <defs>
    <linearGradient id="glow"><stop class="glow" offset="0" /><stop class="glow" offset="1" stop-opacity="0" /></linearGradient>
  </defs>
  <circle class="sun" cx="276" cy="156" r="132" />
  <path class="ground" d="M8 322h544" />
  ${drawWheel(122, 234)}${drawWheel(430, 234)}
  <path class="guard" d="M29 214a96 96 0 0 1 172-35M346 187a96 96 0 0 1 176 24" />
  <path class="tube thin" d="M122 234 210 108M122 234l132 10" />
  <path class="tube" d="M254 244 204 92M254 244 382 132M210 110l164-4M370 92l14 46" />
  <path class="tube" d="M384 138c4 40 14 84 46 96" />
  <path class="rod" d="M204 92l-5-16M370 92l-6-22" />
  <path class="bar" d="M364 71c14-4 28-3 29 6s-12 12-24 14l-20 5" />
  <path class="grip" d="M350 96 322 102" />
  <path class="leather" d="M160 68c18-10 30-2 48-4 14-2 26 0 28 5s-18 8-30 10c-14 3-44 4-46-11z" />
  <path class="chain" d="M250 268 122 243M252 220l-130 5" />
  <circle class="chainring" cx="254" cy="244" r="22" /><path class="crank" d="M254 244l22 40M254 244l-22-40" />
  <path class="pedal" d="M264 286h26M220 202h26" />
  <path class="brass" d="M344 69a12 12 0 0 1 24 0z" /><circle class="brass" cx="356" cy="55" r="2.5" />
  <path fill="url(#glow)" d="M428 92 556 62v112l-128-50z" />
  <path class="rod-thin" d="M379 116l22-8" />
  <path class="enamel" d="M426 91c-18 0-30 7-30 17s12 17 30 17z" /><path class="glass" d="M426 91c6 4 9 11 9 17s-3 13-9 17z" />
</svg>`
