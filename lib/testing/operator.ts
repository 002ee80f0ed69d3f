import { personOf } from '../modules/operators/manage-sessions.ts'
import { createMember, createOperator } from '../modules/operators/operations.ts'
import type { Role } from '../modules/operators/rules/access.ts'
import { findOperator, openTotpSecret } from '../modules/operators/store.ts'
import { db } from '../platform/db/db.ts'
import { browser, codeOf, cookiesOf, firstLogIn, password, signIn } from './log-in.ts'

export const operatorAddress = browser.address

export const halfSignedIn = async (email: string) => cookiesOf(await signIn(email))

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
  return codeOf(secret)
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
  const { cookies, recoveryCodes } = await firstLogIn(email)
  return { operatorId, cookies, recoveryCodes }
}
