const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** The contract's hostname: dot-separated labels in lower-case ASCII; no scheme, port, wildcard or trailing dot. */
export const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)

export const isHostname = (text: string): boolean => HOSTNAME.test(text)

/**
 * The host that a browser sends for a page at this hostname: `127.0.0.1` for `127.1`. Undefined if it opens no page there, as
 * for `999.1.1.1` and `xn--a`.
 */
export function browserHostname(hostname: string): string | undefined {
  try {
    return new URL(`https://${hostname}`).hostname
  } catch {
    return undefined
  }
}

/** A merchant's name for an action, such as `checkout`. */
export const ACTION = /^[A-Za-z0-9_-]{1,64}$/

/** The action of verifications that a member makes in the console. Because of its dot, no caller of the API can send it. */
export const PLAYGROUND_ACTION = 'console.playground'

/** The action of the intents that `tollgate doctor` of the SDK opens to check an integration. */
export const DOCTOR_ACTION = 'tollgate-doctor'

/** The actions of intents that are not opened for a visitor. What happens to these intents says nothing about the integration. */
export const PROBE_ACTIONS: readonly string[] = [PLAYGROUND_ACTION, DOCTOR_ACTION]

/** The endpoints of the API that a merchant's backend calls, with its secret. */
export const BACKEND_ENDPOINTS = ['/intents', '/siteverify', '/feedback', '/grants', '/grants/revoke'] as const

/** A tenant's name in URLs: lower-case letters and digits, and `-` inside; at most 40. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

const ANY_CASE = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/**
 * An e-mail address as HTML defines it for `<input type="email">`: at most 64 characters before the `@`, and a domain of
 * ASCII labels. It has no quotes, comments, lists or groups, so that every program reads the same recipient.
 */
export const EMAIL = new RegExp(`^(?=.{3,254}$)[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${ANY_CASE}(?:\\.${ANY_CASE})*$`)

/** Whether PostgreSQL can store the text: it has no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/** The most characters of a name. */
export const NAME_MOST = 120

/** A letter or a mark of one of the scripts in which U+200C and U+200D change how letters join. */
const JOINING = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
].map((script) => String.raw`(?=[\p{L}\p{M}])\p{scx=${script}}`)

/**
 * Characters without a glyph of their own, in the places where they change the glyph beside them and hide nothing: joiners
 * between two letters of one script, after the sign that joins consonants, and inside an emoji (UTS #51); what selects a
 * variant of the letter, digit or symbol before; the tags of the three flags that are made of them.
 */
const IN_PLACE = new RegExp(
  [
    ...JOINING.map((letter) => String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`),
    // an older spelling of final consonants in Malayalam, and the half forms of Devanagari and Sinhala, end with a joiner
    String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u0dca])\u200d(?![\p{L}\p{M}\p{Cf}])`,
    String.raw`(?<=\p{ExtPict}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{ExtPict})`,
    // letters with such variants; any other would hide a difference between two names
    String.raw`(?<=[\p{ExtPict}\p{N}\p{S}#*])[\ufe00-\ufe0f]`,
    String.raw`(?<=[\p{scx=Han}\p{scx=Kana}\p{scx=Myanmar}])[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=(?=\p{L})\p{scx=Mongolian})[\u180b-\u180f](?!\p{Cf})`,
    String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  ].join('|'),
  'gu',
)

/** Signs around a number or a verse. Unicode counts them as formatting, but they are seen. */
const VISIBLE_FORMAT = /[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]/gu

/** A character that cannot be seen, or that could reverse or hide others. U+2800 is the empty pattern of Braille. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** In UTF-16: a family of four, each with a colour of skin, has 19. */
const UNITS_PER_CHARACTER = 20

/** Whether the text has at most so many characters as its reader counts them: an emoji, or a letter with its accents, is one. */
export const hasAtMost = (most: number, text: string): boolean =>
  text.length <= most ||
  (text.length <= most * UNITS_PER_CHARACTER && Array.from(new Intl.Segmenter().segment(text)).length <= most)

/** Whether the text has a character that its reader cannot see, in a place where it does not belong to the one beside it. */
export const hidesCharacters = (text: string): boolean =>
  HIDDEN.test(text.replace(VISIBLE_FORMAT, '').replace(IN_PLACE, ''))

/** What is wrong with a text as a name, if anything; `blank`: it has spaces around it. */
export function nameFault(text: string): 'empty' | 'long' | 'hidden' | 'blank' | undefined {
  if (text.trim() === '') return 'empty'
  if (!hasAtMost(NAME_MOST, text)) return 'long'
  if (hidesCharacters(text)) return 'hidden'
  return text.trim() === text ? undefined : 'blank'
}

/** Whether the text can be a name: 1 to 120 characters that its reader can see, without spaces around them. */
export const isName = (text: string): boolean => nameFault(text) === undefined
