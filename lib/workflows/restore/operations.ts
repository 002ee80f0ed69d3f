import { formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import * as store from '../../modules/unknown-payments/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { comingChargesFor } from './coming-charges.ts'
import { type ShownUnknownPayment, shown } from './shown.ts'

/**
 * Lists the payments that `compareAfterRestore` recorded, oldest first. Sends no request to a provider. Shows the
 * refunds and disputes that the last comparison found, or that Billhook found later when it tried to use a payment for
 * a charge.
 */
export async function listUnknown(): Promise<ShownUnknownPayment[]> {
  const payments = await store.unknownPayments(db())
  const coming = await comingChargesFor(payments)
  return payments.map((each) => {
    const charges = coming.get(each.ref)?.charges ?? []
    return shown(each, { hasStorefront: true, charges })
  })
}

/**
 * Records an operator's statement that the payment is refunded or canceled. Afterward, no charge uses the payment or waits for it. A repeated call changes
 * nothing. Refuses with `validation_failed` if the payment was not recorded, or if a payment in the database uses it.
 */
export async function releaseUnknown(provider: string, ref: string): Promise<ShownUnknownPayment> {
  return db().$transaction(async (sql) => {
    const payment = await store.lockUnknown(sql, provider, ref)
    if (!payment) throw invalid('ref', 'There is no such payment in the output of `restore list`.')
    const { storefrontId, usedBy, amount } = payment
    if (usedBy !== null)
      throw invalid('ref', `${usedBy} uses this payment. Refund the order of ${usedBy} in Billhook instead.`)
    const releasedAt = payment.releasedAt ?? realNow()
    if (payment.releasedAt === null) {
      await store.markReleased(sql, provider, ref, releasedAt)
      await writeAudit(sql, commandLine(), {
        action: 'unknown_payment.release',
        subject: storefrontId,
        before: null,
        after: { provider, ref, amount: formatMoney(amount), currency: amount.currency },
      })
    }
    return shown({ ...payment, releasedAt }, { hasStorefront: true, charges: [] })
  })
}
