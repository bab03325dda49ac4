import { expect, type Locator, type Page } from '@playwright/test'

// by the names that a screen reader says; exact, so that “Add” is not “Add units”

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })

/** The title of the page. */
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true })

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Opens the part of a page that is folded at first. */
export const unfold = (page: Page, title: string) => page.locator('summary', { hasText: title }).click()

/** The row of a person in a table. */
export const rowOf = (page: Page, { email }: { email: string }) => page.getByRole('row', { name: new RegExp(email) })

/** The secret that the page shows this once; confirms that it is stored. `action`: the button that closes it. */
export async function takeSecret(page: Page, title: string, action = 'Done'): Promise<string> {
  const reveal = dialog(page, title)
  const secret = await reveal.locator('code').first().innerText()
  await reveal.getByRole('checkbox', { name: 'I have saved it' }).check()
  await button(reveal, action).click()
  await expect(reveal).toBeHidden()
  return secret
}

/** The field alone shows the error, and has the focus. */
export async function expectErrorAt(within: Locator, label: string, error: string | RegExp): Promise<void> {
  const input = within.getByLabel(label, { exact: true })
  await expect(input).toHaveAccessibleDescription(error)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
  await expect(input).toBeFocused()
  await expect(within.getByText(error)).toHaveCount(1)
}
