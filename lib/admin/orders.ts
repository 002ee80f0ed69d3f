import { toWire } from '../kernel/moment.ts'
import { amount, parseMoney } from '../kernel/money.ts'
import { disputedAmong } from '../modules/chargebacks/store.ts'
import { timeZoneOf } from '../modules/customers/store.ts'
import { pageOfEmails } from '../modules/emails/store.ts'
import { hasEInvoice } from '../modules/invoices/rules/e-invoice.ts'
import * as orderContract from '../modules/orders/contract.ts'
import type { OrderPage, OrdersPage } from '../modules/orders/page.ts'
import { ublPath } from '../modules/orders/resource.ts'
import { isSale, type Order, orderStates } from '../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../modules/orders/rules/withdrawal.ts'
import { pageOfOrdersByAmount } from '../modules/orders/sorted.ts'
import { findOrder, findShownOrder, pageOfOrders } from '../modules/orders/store.ts'
import { paymentsOfOrder } from '../modules/payments/store.ts'
import { refundResource } from '../modules/refunds/resource.ts'
import type * as rules from '../modules/refunds/rules/index.ts'
import { pageOfRefunds } from '../modules/refunds/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { cancelRecovery, isUnpaidChange } from '../workflows/recovery/operations.ts'
import * as refunds from '../workflows/refund/operations.ts'
import { canRecall } from '../workflows/refund/recall.ts'
import { laterPayments, proposedRefund } from '../workflows/withdrawal/proposed-refund.ts'
import { itemOf, linesOf, withdrawableOf } from '../workflows/withdrawal/withdrawable.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { act, newFormKey } from './act.ts'
import { customerLinksOn } from './customer-links.ts'
import { emailRow } from './emails.ts'
import { evidenceOn } from './evidence.ts'
import { exportOf } from './export.ts'
import { actionOf, adminList, chosen, type ListParameters } from './list.ts'
import { namedCustomer } from './names.ts'
import { actOnPastDue, isPastDueAction, pastDueOf } from './recovery.ts'
import { createRefund, endRefund } from './refunds.ts'
import { relatedTo } from './related.ts'
import { orderRow, withOrderRows } from './rows.ts'
import { paymentAttempt } from './timeline.ts'
import { deliveriesAbout } from './webhooks.ts'

export async function ordersPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<OrdersPage | null> {
  const access = await accessTo(place, 'orders', cookies)
  if (!access) return null
  const { path, tenant } = access
  const filter = chosen(orderStates.states, parameters.status)
  const customer = parameters.customer || null
  const of = { status: filter.status ?? undefined, customerId: customer ?? undefined }
  const list = await adminList(
    `${path}/orders`,
    { ...parameters, status: filter.status },
    async ({ sort, ...query }, sql) => {
      const sorted = sort && { status: of.status, isDescending: sort.isDescending }
      const page = sorted
        ? await pageOfOrdersByAmount(sql, tenant, query, sorted)
        : await pageOfOrders(sql, tenant, query, of)
      return withOrderRows(sql, page)
    },
    (row) => row,
    ['amount'],
  )
  const { exportUrl: refundsUrl } = exportOf(access, 'refunds')
  const narrowed = { status: filter.status, customer, ...list.dates }
  const files = { ...exportOf(access, 'orders', narrowed), ...(refundsUrl && { refundsExportUrl: refundsUrl }) }
  const named = await namedCustomer(tenant, customer)
  return { ...list, filter, customerId: customer, customer: named, ...files, ...actionOf(access, 'payment-links/new') }
}

const mostBelow = 100

/** Returns an order with everything that its page lists. `form` is the id of a stored form result, which can contain a new link for the customer. */
export async function orderPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
  form: string | null = null,
): Promise<OrderPage | null> {
  const access = await accessTo(place, 'orders/[id]', cookies)
  const order = access && (await findOrder(db(), access.tenant, id))
  const shown = access && (await findShownOrder(db(), access.tenant, id))
  if (!access || !order || !shown) return null
  const { tenant } = access
  const { reason, lines, total: left } = await refunds.refundable(tenant, id)
  const { rows } = await pageOfRefunds(db(), tenant, { limit: mostBelow }, { orderId: id })
  const emails = await pageOfEmails(db(), tenant, { limit: mostBelow }, { orderId: id })
  const until = lastWithdrawalDay(order, await timeZoneOf(db(), tenant, order.customerId))
  return {
    ...(await withdrawalsFrom(order, tenant, lines, rows)),
    ...(await relatedTo(order, tenant)),
    // Null for a credit note or a replacement, because a buyer can withdraw only from a sale.
    withdrawal: isSale(order) && order.withdrawal && until !== null ? { ...order.withdrawal, until } : null,
    eInvoiceUrl: order.invoice && hasEInvoice(order) ? ublPath(order.id) : null,
    order: orderRow(shown, await disputedAmong(db(), [id])),
    lines,
    left,
    notRefundable: reason?.rule ?? null,
    formKey: newFormKey(),
    mayRefund: access.mayDo('refund.create'),
    refunds: rows.map(refundResource),
    refundReasons: Object.fromEntries(rows.flatMap(({ id, metadata }) => reasonIn(id, metadata))),
    recallable: await recallableOf(id, rows),
    pastDue: await pastDueOf(access, shown),
    mayUndo: access.mayDo('recovery.cancel') && (await isUnpaidChange(db(), order)),
    emails: emails.rows.map(emailRow),
    attempts: (await paymentsOfOrder(db(), id)).map(paymentAttempt),
    links: await customerLinksOn(access, id, form),
    deliveries: await deliveriesAbout(access, [id, ...rows.map((refund) => refund.id)]),
    ...(await evidenceOn(access, id)),
  }
}

/** The entered reason of a refund. It is stored in the metadata of the refund. */
function reasonIn(id: string, metadata: string | null): [string, string][] {
  const { reason = null } = metadata ? (JSON.parse(metadata) as { reason?: unknown }) : {}
  return typeof reason === 'string' ? [[id, reason]] : []
}

async function withdrawalsFrom(
  order: Order,
  tenant: Tenant,
  lines: OrderPage['lines'],
  refunds: readonly rules.Refund[],
): Promise<Pick<OrderPage, 'declared' | 'amounts' | 'laterPayments'>> {
  const withdrawable = await withdrawableOf(order, tenant)
  if (!withdrawable) return { declared: [], amounts: {}, laterPayments: [] }
  const left = new Map(lines.map(({ id, left }) => [id, parseMoney(left.value, order.currency)?.minor ?? 0n]))
  const proposed = proposedRefund(order, withdrawable, { left, refunds })
  const paid = await laterPayments(db(), withdrawable)
  return {
    declared: withdrawable.declared.map((each) => ({
      name: each.name,
      email: each.email,
      statement: each.statement,
      source: each.source,
      declaredAt: toWire(each.declaredAt),
      items: linesOf(withdrawable, each).map(itemOf),
    })),
    amounts: Object.fromEntries([...proposed].map(([id, minor]) => [id, amount(minor, order.currency).value])),
    laterPayments: paid.map(({ order: { id, total, currency }, number, paidAt }) => ({
      id,
      number,
      total: amount(total, currency),
      paidAt: toWire(paidAt),
    })),
  }
}

/** The ids of the refunds that the payment provider can still cancel. */
async function recallableOf(orderId: string, refunds: readonly rules.Refund[]): Promise<string[]> {
  const sent = refunds.filter(({ status, recalledAt }) => status === 'processing' && recalledAt === null)
  return sent.length > 0 && (await canRecall(db(), orderId)) ? sent.map(({ id }) => id) : []
}

export async function submitOrder(
  place: StorefrontPath,
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const access = await accessToForm(place, 'orders/[id]', form.get('intent'), cookies)
  const order = access && (await findOrder(db(), access.tenant, id))
  if (!access || !order) return null
  const page = `${access.path}/orders/${id}`
  const intent = form.get('intent')
  if (isPastDueAction(intent)) return actOnPastDue(access, page, id, form)
  switch (intent) {
    case 'refund':
      return createRefund(access, page, order, form)
    case 'cancel-refund':
      return endRefund(access, page, id, form, intent)
    case 'recall-refund':
      return endRefund(access, page, id, form, intent)
    case 'undo-change':
      return undoChange(access, page, id, form)
    default:
      return { redirectTo: page }
  }
}

async function undoChange(access: Access, page: string, orderId: string, form: URLSearchParams) {
  const refusal = await act(
    access,
    form,
    { endpoint: orderContract.cancelRecovery, params: { id: orderId }, action: 'recovery.cancel', subject: orderId },
    ({ context, params }) => cancelRecovery(context, params.id),
  )
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : 'done=changeUndone'}` }
}
