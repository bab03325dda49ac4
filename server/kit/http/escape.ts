const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** A pattern for `like` and `ilike` that finds the text itself anywhere. Names are stored composed (NFC). */
export const likePattern = (text: string): string => `%${text.normalize().replace(/[\\%_]/g, '\\$&')}%`

/** A pattern for `ilike` that is the whole text, in which each asterisk stands for any text. */
export const wildcardPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')

/** Patterns for `ilike all` that find the words of a text in any order. */
export const wordPatterns = (text: string): string[] => text.trim().split(/\s+/).map(likePattern)
