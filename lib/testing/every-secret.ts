import { insertEvidence } from '../modules/chargebacks/evidence-store.ts'
import { eraseSuppressions, suppress } from '../modules/emails/suppressions.ts'
import { secondFactorPage } from '../modules/operators/manage-sessions.ts'
import { createOperator } from '../modules/operators/operations.ts'
import { insertEmailChange } from '../modules/portal/email-changes.ts'
import { update } from '../modules/webhooks/operations.ts'
import { db } from '../platform/db/db.ts'
import { proveSecretKey } from '../server/secret-key.ts'
import { submitForgotten } from '../workflows/password-reset/submit-password-reset.ts'
import { send } from './api.ts'
import { anOperator, halfSignedIn } from './operator.ts'
import { seedEverything } from './seed-everything.ts'
import { aShop } from './shop.ts'

const created = new Date('2026-11-24T10:00:00Z')

/** Fills every encrypted column. Returns the operator with a second factor, and the scope of a storefront with suppressed addresses. */
export async function everySecret() {
  await proveSecretKey()
  const seeded = await seedEverything()
  const operator = await anOperator('ops@example.com')
  await createOperator({ email: 'new@example.com', password: 'correct horse battery' })
  await secondFactorPage(await halfSignedIn('new@example.com'))
  await submitForgotten(new URLSearchParams({ email: 'ops@example.com' }))
  const { testKey, scope } = await aShop()
  const body = { email: 'ada@example.com', name: 'Ada' }
  expectCreated(await send('POST /v1/customers', { key: testKey, body, headers: { 'Idempotency-Key': 'once' } }))
  for (const address of ['gone@example.com', 'erased@example.com'])
    await db().$transaction((sql) => suppress(sql, scope, { address, cause: 'bounce', reason: null, at: created }))
  await eraseSuppressions(db(), scope, new Set(['erased@example.com']))
  await changeEmail()
  await addEvidence()
  const endpoint = await db().webhook_endpoints.findFirstOrThrow({ where: { deleted_at: null } })
  const { storefront_id: storefrontId, testmode } = endpoint
  await update({ storefrontId, testmode }, endpoint.id, { secret: 'whsec_of_every_secret_0123456789' })
  return { operator, scope, close: seeded.close }
}

function expectCreated({ status }: { status: number }): void {
  if (status !== 201) throw new Error(`the customer was not created: ${status}`)
}

async function changeEmail(): Promise<void> {
  const { id: customerId, storefront_id: storefrontId, testmode } = await db().customers.findFirstOrThrow()
  const change = { id: 'email_change_0oh6aE4X3VqIF0u4uHA4IT', customerId, from: 'a@example.com', to: 'b@example.com' }
  const times = { createdAt: created, expiresAt: created, confirmedAt: null, endedAt: null }
  await insertEmailChange(db(), { storefrontId, testmode }, { ...change, ...times })
}

async function addEvidence(): Promise<void> {
  const { id: chargebackId, storefront_id: storefrontId, testmode } = await db().chargebacks.findFirstOrThrow()
  const evidence = { kind: 'statement', type: 'text/plain', bytes: new TextEncoder().encode('It was used.') } as const
  const row = { id: 'evidence_0oh6aE4X3VqIF0u4uHA4IT', chargebackId, evidence, createdAt: created }
  await insertEvidence(db(), { storefrontId, testmode }, row)
}
