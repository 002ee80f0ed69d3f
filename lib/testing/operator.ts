import { Secret, TOTP } from 'otpauth'
import { secondFactorPage, submitSecondFactor, submitSignIn } from '../modules/operators/hosted.ts'
import { createOperator } from '../modules/operators/operations.ts'

const password = 'correct horse battery'
export const operatorAddress = '203.0.113.9'

export const cookieIn = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null

/** The first half of a log-in: the cookies of a browser that gave its password and no code. */
export const halfSignedIn = async (email: string) =>
  cookieIn(await submitSignIn(new URLSearchParams({ email, password }), { address: operatorAddress, name: 'Test' }))

/** A new operator who has logged in with both factors. */
export async function anOperator(email: string): Promise<{ operatorId: string; cookies: string | null }> {
  const { operatorId } = await createOperator({ email, password })
  const half = await halfSignedIn(email)
  const page = await secondFactorPage(half)
  if (page?.kind !== 'set_up') throw new Error('the second factor is set up already')
  const code = new TOTP({ secret: Secret.fromBase32(page.secret) }).generate()
  return { operatorId, cookies: cookieIn(await submitSecondFactor(new URLSearchParams({ code }), half)) }
}
