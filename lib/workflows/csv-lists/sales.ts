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
import { list, moment, ofCustomer, shownAs, status } from './csv-list.ts'

export const heldAddress = (typed: string | null | undefined): string | undefined =>
  typed?.trim() ? (canonicalEmail(typed) ?? typed) : undefined

export const sales = {
  orders: list({
    read: ({ tenant }, query, filters) =>
      shownAs(
        pageOfOrders(reader(), tenant, query, { ...status(orderStates.states, filters), ...ofCustomer(filters) }),
        (row) => ({ id: row.id, row, order: orderResource(row) }),
      ),
    columns: {
      id: ({ id }) => id,
      invoiceNumber: ({ order }) => order.invoiceNumber,
      createdAt: ({ order }) => order.createdAt,
      status: ({ order }) => order.status,
      customerId: ({ order }) => order.customerId,
      email: ({ order }) => order.customerDetails.email,
      name: ({ order }) => order.customerDetails.fullName,
      company: ({ order }) => order.customerDetails.companyName,
      country: ({ order }) => order.customerDetails.country,
      taxId: ({ order }) => order.customerDetails.taxId,
      currency: ({ order }) => order.total.currency,
      subtotal: ({ order }) => order.subtotal.value,
      total: ({ order }) => order.total.value,
      taxes: ({ order }) => order.taxSummary.map(({ taxRate, amount }) => `${taxRate.name} ${amount.value}`).join('; '),
      reversedSubtotal: ({ order }) => order.reversedSubtotal.value,
      subscriptionId: ({ row }) => row.subscriptionId,
      kind: ({ row }) => kindOf(row),
      creditedOrderId: ({ row }) => row.creditedOrderId,
      replacesOrderId: ({ row }) => row.replacesOrderId,
      // Credit notes and corrections have an issue date, but no payment date.
      paidAt: ({ row }) => (isSale(row) ? moment(row.paidAt) : null),
    },
  }),
  refunds: list({
    read: ({ tenant }, query) => shownAs(pageOfRefunds(reader(), tenant, query), refundResource),
    columns: {
      id: ({ id }) => id,
      originalOrderId: ({ originalOrderId }) => originalOrderId,
      creditNoteId: ({ orderId }) => orderId,
      status: ({ status }) => status,
      customerId: ({ customerId }) => customerId,
      currency: ({ total }) => total.currency,
      subtotal: ({ subtotal }) => subtotal.value,
      total: ({ total }) => total.value,
      createdAt: ({ createdAt }) => createdAt,
    },
  }),
  subscriptions: list({
    read: ({ tenant }, query, filters) =>
      shownAs(
        pageOfSubscriptions(reader(), tenant, query, {
          ...status(subscriptionStates.states, filters),
          ...ofCustomer(filters),
        }),
        shownSubscription,
      ),
    columns: {
      id: ({ id }) => id,
      status: ({ status }) => status,
      customerId: ({ customerId }) => customerId,
      name: ({ name }) => name,
      quantity: ({ quantity }) => quantity,
      currency: ({ basePrice }) => basePrice.currency,
      basePrice: ({ basePrice }) => basePrice.value,
      interval: ({ interval }) => interval,
      intervalCount: ({ intervalCount }) => intervalCount,
      startedAt: ({ startedAt }) => startedAt,
      trialUntil: ({ trialUntil }) => trialUntil,
      renewedUntil: ({ renewedUntil }) => renewedUntil,
      nextRenewalAt: ({ nextRenewalAt }) => nextRenewalAt,
      canceledAt: ({ canceledAt }) => canceledAt,
      cancellationReason: ({ cancellationReason }) => cancellationReason,
      endedAt: ({ endedAt }) => endedAt,
    },
  }),
  customers: list({
    read: ({ tenant }, query, { email }) =>
      shownAs(pageOfCustomers(reader(), tenant, query, heldAddress(email)), customerResource),
    columns: {
      id: ({ id }) => id,
      email: ({ email }) => email,
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => createdAt,
    },
  }),
  checkouts: list({
    async read({ tenant }, query, filters) {
      const page = await pageOfCheckouts(reader(), tenant, query, status(checkoutStates.states, filters))
      const ids = page.rows.map(({ id }) => id)
      const orders = await paidOrderIds(reader(), ids)
      const orderIdOf = (id: string) => orders.get(id) ?? null
      return {
        ...page,
        rows: page.rows.map((row) => ({
          ...checkoutResource(row, orderIdOf(row.id)),
          orderId: orderIdOf(row.id),
        })),
      }
    },
    columns: {
      id: ({ id }) => id,
      status: ({ status }) => status,
      createdAt: ({ createdAt }) => createdAt,
      expiresAt: ({ expiresAt }) => expiresAt,
      customerId: ({ customerId }) => customerId,
      orderId: ({ orderId }) => orderId,
    },
  }),
  chargebacks: list({
    read: ({ tenant }, query, filters) =>
      shownAs(pageOfChargebacks(reader(), tenant, query, status(chargebackStates.states, filters)), chargebackResource),
    columns: {
      id: ({ id }) => id,
      status: ({ status }) => status,
      reason: ({ reason }) => reason,
      customerId: ({ customerId }) => customerId,
      originalOrderId: ({ originalOrderId }) => originalOrderId,
      creditNoteId: ({ orderId }) => orderId,
      createdAt: ({ createdAt }) => createdAt,
      currency: ({ amount }) => amount.currency,
      disputed: ({ amount }) => amount.value,
      subtotal: ({ subtotal }) => subtotal.value,
      total: ({ total }) => total.value,
      settlementAmount: ({ settlementAmount }) => settlementAmount.value,
    },
  }),
  balance: list({
    read: ({ tenant }, query) => pageOfEntries(reader(), tenant, query),
    columns: {
      id: ({ id }) => id,
      transactionId: ({ transactionId }) => transactionId,
      createdAt: ({ createdAt }) => toWire(createdAt),
      cause: ({ cause }) => cause,
      subjectId: ({ subjectId }) => subjectId,
      orderId: ({ orderId }) => orderId,
      account: ({ account }) => account,
      currency: ({ currency }) => currency,
      amount: ({ amount, currency }) => formatMoney({ minor: amount, currency }),
    },
  }),
  payouts: list({
    read: ({ tenant }, query) => pageOfPayouts(reader(), tenant, query),
    columns: {
      id: ({ id }) => id,
      status: ({ status }) => status,
      currency: ({ currency }) => currency,
      amount: ({ amount, currency }) => formatMoney({ minor: amount, currency }),
      reference: ({ reference }) => reference,
      way: ({ byHand }) => (byHand ? 'by hand' : 'by file'),
      createdAt: ({ createdAt }) => toWire(createdAt),
      finishedAt: ({ finishedAt }) => moment(finishedAt),
    },
  }),
  emails: list({
    read: ({ tenant }, query, filters) => pageOfEmails(reader(), tenant, query, status(emailStatuses, filters)),
    columns: {
      id: ({ id }) => id,
      kind: ({ kind }) => kind,
      to: ({ to }) => to,
      locale: ({ locale }) => locale,
      status: ({ status }) => status,
      orderId: ({ orderId }) => orderId,
      originalId: ({ originalId }) => originalId,
      createdAt: ({ createdAt }) => toWire(createdAt),
      sentAt: ({ sentAt }) => moment(sentAt),
      bouncedAt: ({ bouncedAt }) => moment(bouncedAt),
      complainedAt: ({ complainedAt }) => moment(complainedAt),
    },
  }),
} as const
