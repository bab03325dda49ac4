/** The steps to the first verification, as the set-up page and the overview show them. */
export const STEPS = {
  tenant: { title: 'Name your tenant', about: 'Your company or team.' },
  site: { title: 'Create your first site', about: 'You get a site key and a secret key.' },
  trial: { title: 'See it work', about: 'You verify yourself on the set-up page.' },
  form: { title: 'Add it to your form', about: 'Your backend opens intents and redeems tokens.' },
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
