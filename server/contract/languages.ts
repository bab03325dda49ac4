/** The languages with an SDK, by the name of their folder in sdk/ and in the SDK's User-Agent. */
export const SDKS = { node: 'Node', python: 'Python', php: 'PHP' } as const

/** The languages of snippets, and of the lines that the doctor shows. */
export const LANGUAGES = { curl: 'curl', ...SDKS } as const
export type Language = keyof typeof LANGUAGES

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as [Language, ...Language[]]
