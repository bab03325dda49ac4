/** What a visitor can do about a refusal, in the words of someone who does not run the website. */
const ADVICE: Readonly<Record<string, string>> = {
  'origin-not-allowed':
    'You are on an address that the website has not set up for verification. Open the website at its usual address. If you are on it, send this page to the website’s support.',
  'intent-expired':
    'The page was open for more than five minutes, or was sent already. Reload it and try again. Copy long texts first.',
  'challenge-expired': 'Your device took too long. Try again, with fewer other programs or tabs open.',
  'solution-invalid':
    'Reload the page and try again. If it fails again, turn off extensions that change pages, or try another browser.',
  'rate-limited':
    'There were many attempts from your network. Wait a few minutes and try again, or use another network.',
  'site-disabled': 'The website has turned verification off for now. Please tell its support.',
  unavailable: 'The service was unavailable for a moment. Try again.',
  'internal-error': 'Something failed on our side. Try again in a moment.',
}

const SETUP = 'The website’s set-up has a mistake, so you cannot fix it. Please send this page to its support.'

/** What the visitor can do. `code`: as stored; null if no request with the reference is known. */
export function adviceFor({ code, denied }: { code: string | null; denied: boolean }): string {
  if (code === null)
    return 'No refused request with this reference is stored. Check the eight characters; old ones are deleted.'
  if (denied)
    return 'The website or the operator of this service refuses your network. Waiting does not help: use another network, or send this page to the website’s support.'
  return ADVICE[code] ?? SETUP
}
