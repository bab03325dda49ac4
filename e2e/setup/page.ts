import type { Locator, Page } from '@playwright/test'

// by the names that a screen reader says; exact, so that “Add” is not “Add units”

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })

/** The title of the page. */
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true })

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The row of a person in a table. */
export const rowOf = (page: Page, { email }: { email: string }) => page.getByRole('row', { name: new RegExp(email) })
