import { Secret, TOTP } from 'otpauth'
import { personOf, secondFactorPage, submitSecondFactor, submitSignIn } from '../modules/operators/manage-sessions.ts'
import { createMember, createOperator } from '../modules/operators/operations.ts'
import type { Role } from '../modules/operators/rules/access.ts'
import { findOperator, openTotpSecret } from '../modules/operators/store.ts'
import { db } from '../platform/db/db.ts'

const password = 'correct horse battery'
export const operatorAddress = '203.0.113.9'

const cookieIn = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null

export const halfSignedIn = async (email: string) =>
  cookieIn(await submitSignIn(new URLSearchParams({ email, password }), { address: operatorAddress, name: 'Test' }))

export const anOperator = async (email: string): Promise<LoggedIn> =>
  loggedIn(email, (await createOperator({ email, password })).operatorId)

export const aMember = async (email: string, merchantId: string, role: Role): Promise<LoggedIn> =>
  loggedIn(email, (await createMember({ email, password, merchantId, role })).operatorId)

/**
 * Returns a valid second-factor code. Forgets used codes and failed attempts, so that several codes within 30 seconds
 * succeed.
 */
export async function freshCode(operatorId: string): Promise<string> {
  await db().operators.update({ where: { id: operatorId }, data: { totp_step: null }, select: { id: true } })
  await db().sign_in_failures.deleteMany({
    where: { subject: { in: [`step_up ${operatorId}`, `code ${operatorId}`] } },
  })
  const operator = await findOperator(db(), { id: operatorId })
  const secret = operator && openTotpSecret(operator)
  if (!secret) throw new Error('there is no second factor')
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate()
}

export async function freshCodeOf(cookies: string | null): Promise<string> {
  const person = await personOf(cookies)
  return person ? freshCode(person.actor.id) : ''
}

interface LoggedIn {
  readonly operatorId: string
  readonly cookies: string | null
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
