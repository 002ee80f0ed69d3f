import { Secret, TOTP } from 'otpauth'
import { submitSecondFactor, submitSignIn } from '../modules/operators/manage-sessions.ts'

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
