/** The steps to the first verification, as the set-up page and the overview name them. */
export const STEPS = {
  tenant: 'Name your tenant',
  site: 'Create your first site',
  trial: 'See it work',
  form: 'Add it to your form',
} as const

/** The id of the step with the code on the set-up page. */
export const FORM_STEP = 'form'

const KEY = 'tollgate.tried'

/** Whether someone has verified themselves on the tenant's set-up page in this browser. The service does not record it. */
export function hasTried(tenant: string): boolean {
  try {
    return localStorage.getItem(`${KEY}.${tenant}`) !== null
  } catch {
    return false
  }
}

export function rememberTrial(tenant: string): void {
  try {
    localStorage.setItem(`${KEY}.${tenant}`, 'yes')
  } catch {
    // the step stays open
  }
}
