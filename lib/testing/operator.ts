import { Secret, TOTP } from 'otpauth'
import { secondFactorPage, submitSecondFactor, submitSignIn } from '../modules/operators/hosted.ts'
import { createMember, createOperator } from '../modules/operators/operations.ts'
import type { Role } from '../modules/operators/rules/access.ts'

const password = 'correct horse battery'
export const operatorAddress = '203.0.113.9'

const cookieIn = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null

/** The first half of a log-in: the cookies of a browser that gave its password and no code. */
export const halfSignedIn = async (email: string) =>
  cookieIn(await submitSignIn(new URLSearchParams({ email, password }), { address: operatorAddress, name: 'Test' }))

/** A new operator who has logged in with both factors. */
export const anOperator = async (email: string): Promise<LoggedIn> =>
  loggedIn(email, (await createOperator({ email, password })).operatorId)

/** A new member of a merchant who has logged in with both factors. */
export const aMember = async (email: string, merchantId: string, role: Role): Promise<LoggedIn> =>
  loggedIn(email, (await createMember({ email, password, merchantId, role })).operatorId)

interface LoggedIn {
  readonly operatorId: string
  readonly cookies: string | null
  /** Each is a second factor once. */
  readonly recoveryCodes: readonly string[]
}

async function loggedIn(email: string, operatorId: string): Promise<LoggedIn> {
  const half = await halfSignedIn(email)
  const page = await secondFactorPage(half)
  if (page?.kind !== 'set_up') throw new Error('the second factor is set up already')
  const code = new TOTP({ secret: Secret.fromBase32(page.secret) }).generate()
  const cookies = cookieIn(await submitSecondFactor(new URLSearchParams({ code }), half))
  return { operatorId, cookies, recoveryCodes: page.recoveryCodes }
}
