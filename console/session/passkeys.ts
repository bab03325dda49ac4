import { answered } from './answered.ts'

/** The passkey client, loaded on first use. */
async function client() {
  const [{ createAuthClient }, { passkeyClient }] = await Promise.all([
    import('better-auth/client'),
    import('@better-auth/passkey/client'),
  ])
  return createAuthClient({ baseURL: location.origin, basePath: '/auth', plugins: [passkeyClient()] })
}

/** Signs in with a passkey that the person chooses. Throws `Refused`. */
export async function signInByPasskey(): Promise<void> {
  await answered((await client()).signIn.passkey())
}

/** Creates a passkey for the signed-in person. Throws `Refused`. */
export async function addPasskey(name: string): Promise<void> {
  await answered((await client()).passkey.addPasskey({ name }))
}
