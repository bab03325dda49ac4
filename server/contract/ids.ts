/** The grammars of the ids that the API, the console and the ledger share. */

/** A UUID in lower case, as this service writes it. The source is also a regular expression of PostgreSQL. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text is a UUID, in upper or lower case. */
export const isUuid = (text: string): boolean => UUID.test(text.toLowerCase())

/** The UUID of 32 hex digits in lower case. */
export const uuidOfHex = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** `req_` and the 32 hex digits of the UUID: the id of a request, as in X-Request-Id. */
export const requestId = (uuid: string): string => `req_${uuid.replaceAll('-', '')}`

/** `dec_` and the 32 hex digits of the intent's UUID: the id of a decision follows from its intent. */
export const decisionId = (intentId: string): string => `dec_${intentId.replaceAll('-', '')}`

/** The UUID of a decision's intent; undefined if the text is not the id of a decision. */
export function intentOfDecision(id: string): string | undefined {
  const hex = /^dec_([0-9a-f]{32})$/.exec(id)?.[1]
  return hex === undefined ? undefined : uuidOfHex(hex)
}

export const SITEKEY = /^tg_site_[0-9A-Za-z]{20}$/
export const isSitekey = (text: string): boolean => SITEKEY.test(text)
