import { formatMoney } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { requireStorefront } from '../accounts/store.ts'
import * as store from './store.ts'

/** Returns signed decimal strings; a debit is positive. Throws `validation_failed` for an unknown storefront. */
export async function balance(tenant: Tenant) {
  await requireStorefront(db(), tenant.storefrontId)
  const rows = await store.balancesOf(db(), tenant)
  return rows.map(({ account, currency, amount }) => ({
    account,
    currency,
    amount: formatMoney({ minor: amount, currency }),
  }))
}

export async function listEntries(tenant: Tenant, { limit }: { limit?: number } = {}) {
  await requireStorefront(db(), tenant.storefrontId)
  const rows = await store.entriesOf(db(), tenant, limit)
  return rows.map(({ id, transactionId, account, currency, amount, createdAt, cause, subjectId, orderId }) => ({
    id,
    transactionId,
    account,
    currency,
    amount: formatMoney({ minor: amount, currency }),
    createdAt,
    cause,
    subjectId,
    orderId,
  }))
}
