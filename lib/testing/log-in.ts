import { Secret, TOTP } from 'otpauth'
import { secondFactorPage, submitSecondFactor, submitSignIn } from '../modules/operators/manage-sessions.ts'
import { createOperator } from '../modules/operators/operations.ts'

export const password = 'correct horse battery'
export const browser = { address: '203.0.113.9', name: 'Test browser' }
export const refused = /^\/admin\/sign-in\?refused&form=\w+$/
export const cookiesOf = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null

export const signIn = (email: string, given = password) =>
  submitSignIn(new URLSearchParams({ email, password: given }), browser)

export const enter = (cookies: string | null, code: string) =>
  submitSecondFactor(new URLSearchParams({ code }), cookies)

export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/**
 * Signs in for the first time, and sets up the second factor. `half` contains the cookies after the password and before
 * the second-factor code.
 */
export async function firstLogIn(email: string) {
  const half = cookiesOf(await signIn(email))
  const page = await secondFactorPage(half)
  if (page?.kind !== 'set_up') throw new Error('the second factor is set up already')
  const next = await enter(half, codeOf(page.secret))
  return { ...page, half, cookies: cookiesOf(next), device: next.deviceCookie?.split(';')[0] ?? '' }
}

let made = 0

/** Creates a staff member who has not signed in yet. */
export async function newOperator(): Promise<{ email: string; operatorId: string }> {
  const email = `ops${++made}@example.com`
  return { email, ...(await createOperator({ email, password })) }
}

export async function signedIn() {
  const operator = await newOperator()
  return { ...operator, ...(await firstLogIn(operator.email)) }
}
