/** Whether `next` is a path of this origin: a forged link must not lead to another site after signing in. */
export function isOurs(next: string, origin: string): boolean {
  return next.startsWith('/') && URL.canParse(next, origin) && new URL(next, origin).origin === origin
}
