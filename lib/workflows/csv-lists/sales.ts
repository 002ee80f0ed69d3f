import { canonicalEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import { chargebackResource } from '../../modules/chargebacks/resource.ts'
import { chargebackStates } from '../../modules/chargebacks/rules/state.ts'
import { pageOfChargebacks } from '../../modules/chargebacks/store.ts'
import { checkoutResource } from '../../modules/checkouts/resource.ts'
import { checkoutStates } from '../../modules/checkouts/rules/index.ts'
import { pageOfCheckouts, paidOrderIds } from '../../modules/checkouts/store.ts'
import { customerResource } from '../../modules/customers/resource.ts'
import { pageOfCustomers } from '../../modules/customers/store.ts'
import { emailStatuses } from '../../modules/emails/rules/email.ts'
import { pageOfEmails } from '../../modules/emails/store.ts'
import { pageOfEntries } from '../../modules/ledger/store.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { isSale, kindOf, orderStates } from '../../modules/orders/rules/order.ts'
import { pageOfOrders } from '../../modules/orders/store.ts'
import { pageOfPayouts } from '../../modules/payouts/store.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import { pageOfRefunds } from '../../modules/refunds/store.ts'
import { shownSubscription } from '../../modules/subscriptions/resource.ts'
import { subscriptionStates } from '../../modules/subscriptions/rules/index.ts'
import { pageOfSubscriptions } from '../../modules/subscriptions/store.ts'
import { reader } from '../../platform/db/replica.ts'
import { list, moment, ofCustomer, status } from './csv-list.ts'

export const heldAddress = (typed: string | null | undefined): string | undefined =>
  typed?.trim() ? (canonicalEmail(typed) ?? typed) : undefined

export const sales = {
  orders: list({
    read: ({ tenant }, query, filters) =>
      pageOfOrders(reader(), tenant, query, { ...status(orderStates.states, filters), ...ofCustomer(filters) }),
    cells(row) {
      const { id, invoiceNumber, createdAt, status, customerId, customerDetails, subtotal, total, ...order } =
        orderResource(row)
      const { email, fullName, companyName, country, taxId } = customerDetails
      return {
        id,
        invoiceNumber,
        createdAt,
        status,
        customerId,
        email,
        name: fullName,
        company: companyName,
        country,
        taxId,
        currency: total.currency,
        subtotal: subtotal.value,
        total: total.value,
        taxes: order.taxSummary.map(({ taxRate, amount }) => `${taxRate.name} ${amount.value}`).join('; '),
        reversedSubtotal: order.reversedSubtotal.value,
        subscriptionId: row.subscriptionId,
        kind: kindOf(row),
        creditedOrderId: row.creditedOrderId,
        replacesOrderId: row.replacesOrderId,
        // Credit notes and corrections have an issue date, but no payment date.
        paidAt: isSale(row) ? moment(row.paidAt) : null,
      }
    },
  }),
  refunds: list({
    read: ({ tenant }, query) => pageOfRefunds(reader(), tenant, query),
    cells(row) {
      const { id, originalOrderId, orderId, status, customerId, subtotal, total, createdAt } = refundResource(row)
      return {
        id,
        originalOrderId,
        creditNoteId: orderId,
        status,
        customerId,
        currency: total.currency,
        subtotal: subtotal.value,
        total: total.value,
        createdAt,
      }
    },
  }),
  subscriptions: list({
    read: ({ tenant }, query, filters) =>
      pageOfSubscriptions(reader(), tenant, query, {
        ...status(subscriptionStates.states, filters),
        ...ofCustomer(filters),
      }),
    cells(row) {
      const of = shownSubscription(row)
      return {
        id: of.id,
        status: of.status,
        customerId: of.customerId,
        name: of.name,
        quantity: of.quantity,
        currency: of.basePrice.currency,
        basePrice: of.basePrice.value,
        interval: of.interval,
        intervalCount: of.intervalCount,
        startedAt: of.startedAt,
        trialUntil: of.trialUntil,
        renewedUntil: of.renewedUntil,
        nextRenewalAt: of.nextRenewalAt,
        canceledAt: of.canceledAt,
        cancellationReason: of.cancellationReason,
        endedAt: of.endedAt,
      }
    },
  }),
  customers: list({
    read: ({ tenant }, query, { email }) => pageOfCustomers(reader(), tenant, query, heldAddress(email)),
    cells(row) {
      const { id, email, name, createdAt } = customerResource(row)
      return { id, email, name, createdAt }
    },
  }),
  checkouts: list({
    async read({ tenant }, query, filters) {
      const page = await pageOfCheckouts(reader(), tenant, query, status(checkoutStates.states, filters))
      const ids = page.rows.map(({ id }) => id)
      const orders = await paidOrderIds(reader(), ids)
      return { ...page, rows: page.rows.map((row) => ({ id: row.id, row, orderId: orders.get(row.id) ?? null })) }
    },
    cells({ row, orderId }) {
      const { id, status, createdAt, expiresAt, customerId } = checkoutResource(row, orderId)
      return { id, status, createdAt, expiresAt, customerId, orderId }
    },
  }),
  chargebacks: list({
    read: ({ tenant }, query, filters) =>
      pageOfChargebacks(reader(), tenant, query, status(chargebackStates.states, filters)),
    cells(row) {
      const { id, status, reason, customerId, originalOrderId, orderId, amount, ...of } = chargebackResource(row)
      return {
        id,
        status,
        reason,
        customerId,
        originalOrderId,
        creditNoteId: orderId,
        createdAt: of.createdAt,
        currency: amount.currency,
        disputed: amount.value,
        subtotal: of.subtotal.value,
        total: of.total.value,
        settlementAmount: of.settlementAmount.value,
      }
    },
  }),
  balance: list({
    read: ({ tenant }, query) => pageOfEntries(reader(), tenant, query),
    cells: ({ id, transactionId, subjectId, orderId, cause, account, currency, amount, createdAt }) => ({
      id,
      transactionId,
      createdAt: toWire(createdAt),
      cause,
      subjectId,
      orderId,
      account,
      currency,
      amount: formatMoney({ minor: amount, currency }),
    }),
  }),
  payouts: list({
    read: ({ tenant }, query) => pageOfPayouts(reader(), tenant, query),
    cells: ({ id, status, currency, amount, reference, byHand, createdAt, finishedAt }) => ({
      id,
      status,
      currency,
      amount: formatMoney({ minor: amount, currency }),
      reference,
      way: byHand ? 'by hand' : 'by file',
      createdAt: toWire(createdAt),
      finishedAt: moment(finishedAt),
    }),
  }),
  emails: list({
    read: ({ tenant }, query, filters) => pageOfEmails(reader(), tenant, query, status(emailStatuses, filters)),
    cells: ({ id, kind, to, locale, status, orderId, originalId, createdAt, sentAt, bouncedAt, complainedAt }) => ({
      id,
      kind,
      to,
      locale,
      status,
      orderId,
      originalId,
      createdAt: toWire(createdAt),
      sentAt: moment(sentAt),
      bouncedAt: moment(bouncedAt),
      complainedAt: moment(complainedAt),
    }),
  }),
} as const
