/** What went wrong, and what to do. Both are sentences for the developer of the page or backend. */
export type Mistake = {
  cause: string
  remedy: string
  /**
   * The line in the browser's console of the visitor's page, where more is known: `{name}` is an option of the component or a
   * property of `location`. Of several, the first whose pattern matches what is known (widget/help.ts).
   */
  page?: string | Readonly<Record<string, string>>
}
