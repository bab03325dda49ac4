import { answered } from './answered.ts'

/** The browser's part of passkeys, loaded when somebody uses one. */
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

/** Makes a passkey for the person signed in. Throws `Refused`. */
export async function addPasskey(name: string): Promise<void> {
  await answered((await client()).passkey.addPasskey({ name }))
}
