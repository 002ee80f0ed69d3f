import { invalid, Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import { makeLink } from '../../modules/invoice-updates/link.ts'
import { currentVersion } from '../../modules/invoice-updates/rules/update.ts'
import { earlierVersions } from '../../modules/invoice-updates/store.ts'
import { findOrder, findOrderAnywhere, lockOrder } from '../../modules/orders/store.ts'
import { db } from '../../platform/db/db.ts'
import { wireBillingAddress } from '../../platform/http/shapes.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'

/** Creates a signed link that is valid for 24 hours. Refuses with `not_found`, or with `validation_failed` if the order has no invoice. */
export async function createLink(context: RequestContext, orderId: string) {
  return transact(context, async (tx) => {
    const order = await findOrder(tx.sql, tx, orderId)
    if (!order) throw new Refusal('not_found')
    if (!order.invoice) {
      throw invalid('orderId', 'The order has no invoice, because it is not paid or has a total of 0.00.')
    }
    return { href: await makeLink(tx, orderId), type: 'text/html' }
  })
}

/** Returns the versions of the buyer's details, oldest first. Refuses with `validation_failed` if the order is unknown or has no invoice. */
export async function invoiceVersions(orderId: string) {
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw invalid('order', 'There is no order with this id.')
  // The lock prevents an invoice update between the read of the order and the read of its earlier versions.
  return transact(found.tenant, async ({ sql }) => {
    const order = await lockOrder(sql, found.tenant, orderId)
    if (!order?.invoice) throw invalid('order', 'The order has no invoice.')
    const earlier = await earlierVersions(sql, orderId)
    return [...earlier, currentVersion(order, earlier.length)].map(({ version, issuedAt, details }) => ({
      version,
      issuedAt,
      current: version === earlier.length + 1,
      ...wireBillingAddress(details),
      email: details.email,
    }))
  })
}
