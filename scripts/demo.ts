import { randomBytes } from 'node:crypto'
import * as people from '../lib/modules/accounts/operations.ts'
import * as catalog from '../lib/modules/catalog/operations.ts'
import { createMember, createOperator } from '../lib/modules/operators/operations.ts'
import { db } from '../lib/platform/db/db.ts'

export interface Demo {
  readonly storefrontId: string
  readonly testKey: string
  readonly liveKey: string
  readonly email: string
  readonly password: string
}

/**
 * Returns the known demo if the database contains it, a new demo for an empty database, and null otherwise. The caller
 * must store the keys of a new demo, because the database has only their hashes.
 */
export async function findDemo(known: Demo | null): Promise<Demo | null> {
  if (known && (await db().storefronts.findUnique({ where: { id: known.storefrontId } }))) return known
  return (await db().merchants.findFirst()) ? null : makeDemo()
}

const teamPlan = {
  name: 'Team plan',
  description: 'One seat, billed every month.',
  basePrice: { minor: 1000n, currency: 'EUR' },
  taxBehavior: 'exclusive',
  productType: 'saas',
  interval: 'month',
  intervalCount: 1,
} as const

/** Nobody knows the passwords of these members. */
const members = [
  { email: 'owner@demo-merchant.example', role: 'owner' },
  { email: 'developer@demo-merchant.example', role: 'developer' },
  { email: 'support@demo-merchant.example', role: 'support' },
  { email: 'accountant@demo-merchant.example', role: 'accountant' },
] as const

const newPassword = (): string => randomBytes(12).toString('base64url')

async function makeDemo(): Promise<Demo> {
  const { merchantId } = await people.createMerchant({ name: 'Demo Merchant' })
  const { storefrontId, testKey, liveKey } = await people.createStorefront({ merchantId, name: 'Demo Store' })
  const caller = { storefrontId, testmode: true }
  const product = await catalog.create(caller, 'one_off_product', {
    name: 'Getting started guide',
    description: 'Everything one needs to know, as an e-book.',
    basePrice: { minor: 2999n, currency: 'EUR' },
    taxBehavior: 'exclusive',
    productType: 'ebook',
  })
  const plan = await catalog.create(caller, 'subscription_plan', teamPlan)
  await catalog.create({ storefrontId, testmode: false }, 'subscription_plan', teamPlan)
  const { makeHistory } = await import('./demo-history.ts')
  await makeHistory(caller, { planId: plan.id, productId: product.id })
  for (const member of members) await createMember({ merchantId, ...member, password: newPassword() })
  const operator = { email: 'operator@example.com', password: newPassword() }
  await createOperator(operator)
  return { storefrontId, testKey, liveKey, ...operator }
}
