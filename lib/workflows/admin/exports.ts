import { csvLine } from '../../kernel/csv.ts'
import { canonicalEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import { listKeys } from '../../modules/accounts/operations.ts'
import type { ProductKind } from '../../modules/catalog/rules/index.ts'
import { pageOfProducts } from '../../modules/catalog/store.ts'
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
import type { Permission } from '../../modules/operators/rules/access.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { isSale, kindOf, orderStates } from '../../modules/orders/rules/order.ts'
import { pageOfOrders } from '../../modules/orders/store.ts'
import { newestPayouts } from '../../modules/payouts/store.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import { pageOfRefunds } from '../../modules/refunds/store.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { subscriptionStates } from '../../modules/subscriptions/rules/index.ts'
import { pageOfSubscriptions } from '../../modules/subscriptions/store.ts'
import { pageOfDeliveries } from '../../modules/webhooks/lists.ts'
import { mostEndpoints } from '../../modules/webhooks/rules/limits.ts'
import { deliveryStates } from '../../modules/webhooks/rules/state.ts'
import { pageOfEndpoints } from '../../modules/webhooks/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { reader } from '../../platform/db/replica.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { listMembers } from '../members/operations.ts'
import type { Access } from './access.ts'
import { chosen } from './list.ts'

export type Cells = Readonly<Record<string, string | number | null>>

/** The filters of the list that is exported, by name. */
export type Filters = Readonly<Record<string, string | null>>

/** A list that can be exported: who may, how it is read, and what its columns are. */
interface Exported<Row extends { id: string }> {
  readonly needs: Permission
  read(access: Pick<Access, 'tenant' | 'storefront'>, query: PageQuery, filters: Filters): Promise<Page<Row>>
  cells(row: Row): Cells
}

const list = <Row extends { id: string }>(exported: Exported<Row>) => exported as unknown as Exported<{ id: string }>

const status = <Status extends string>(states: readonly Status[], { status }: Filters) => ({
  status: chosen(states, status).status ?? undefined,
})

/** Of a list that can be narrowed to a customer too. */
const ofCustomer = ({ customer }: Filters) => ({ customerId: customer || undefined })

/** A list that is never longer than a page. */
const whole = <Row>(rows: Row[]): Page<Row> => ({ rows, next: false, prev: false })

/** More than there are: one a day for 27 years. */
const mostPayouts = 10_000

const moment = (at: Date | null) => at && toWire(at)

/** The address that customers are narrowed to, as they hold it; undefined for all of them. A field that was cleared is all. */
export const heldAddress = (typed: string | null | undefined): string | undefined =>
  typed?.trim() ? (canonicalEmail(typed) ?? typed) : undefined

/** What was sold: it has personal data. */
const sales = {
  orders: list({
    needs: 'sales.export',
    read: ({ tenant }, query, filters) =>
      pageOfOrders(reader(), tenant, query, { ...status(orderStates.states, filters), ...ofCustomer(filters) }),
    cells(row) {
      const { id, invoiceNumber, createdAt, status, customerId, customerDetails, subtotal, total, ...order } =
        orderResource(row)
      const { email, fullName, companyName, country, taxId } = customerDetails
      return {
        ...{ id, invoiceNumber, createdAt, status, customerId, email, name: fullName, company: companyName, country },
        ...{ taxId, currency: total.currency, subtotal: subtotal.value, total: total.value },
        ...{ taxes: order.taxSummary.map(({ taxRate, amount }) => `${taxRate.name} ${amount.value}`).join('; ') },
        ...{ reversedSubtotal: order.reversedSubtotal.value, subscriptionId: row.subscriptionId, kind: kindOf(row) },
        ...{ creditedOrderId: row.creditedOrderId, replacesOrderId: row.replacesOrderId },
        // Only a sale is paid: the documents about it have the moment at which they were made.
        paidAt: isSale(row) ? moment(row.paidAt) : null,
      }
    },
  }),
  refunds: list({
    needs: 'sales.export',
    read: ({ tenant }, query) => pageOfRefunds(reader(), tenant, query),
    cells(row) {
      const { id, originalOrderId, orderId, status, customerId, subtotal, total, createdAt } = refundResource(row)
      return {
        ...{ id, originalOrderId, creditNoteId: orderId, status, customerId, currency: total.currency },
        ...{ subtotal: subtotal.value, total: total.value, createdAt },
      }
    },
  }),
  subscriptions: list({
    needs: 'sales.export',
    read: ({ tenant }, query, filters) =>
      pageOfSubscriptions(reader(), tenant, query, {
        ...status(subscriptionStates.states, filters),
        ...ofCustomer(filters),
      }),
    cells(row) {
      const of = subscriptionResource(row)
      return {
        ...{ id: of.id, status: of.status, customerId: of.customerId, name: of.name, quantity: of.quantity },
        ...{ currency: of.basePrice.currency, basePrice: of.basePrice.value },
        ...{ interval: of.interval, intervalCount: of.intervalCount, startedAt: of.startedAt },
        ...{ trialUntil: of.trialUntil, renewedUntil: of.renewedUntil, nextRenewalAt: of.nextRenewalAt },
        ...{ canceledAt: of.canceledAt, cancellationReason: of.cancellationReason, endedAt: of.endedAt },
      }
    },
  }),
  customers: list({
    needs: 'sales.export',
    read: ({ tenant }, query, { email }) => pageOfCustomers(reader(), tenant, query, heldAddress(email)),
    cells(row) {
      const { id, email, name, createdAt } = customerResource(row)
      return { id, email, name, createdAt }
    },
  }),
  checkouts: list({
    needs: 'sales.export',
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
    needs: 'sales.export',
    read: ({ tenant }, query, filters) =>
      pageOfChargebacks(reader(), tenant, query, status(chargebackStates.states, filters)),
    cells(row) {
      const { id, status, reason, customerId, originalOrderId, orderId, amount, ...of } = chargebackResource(row)
      return {
        ...{ id, status, reason, customerId, originalOrderId, creditNoteId: orderId, createdAt: of.createdAt },
        ...{ currency: amount.currency, disputed: amount.value, subtotal: of.subtotal.value, total: of.total.value },
        settlementAmount: of.settlementAmount.value,
      }
    },
  }),
  balance: list({
    needs: 'sales.export',
    read: ({ tenant }, query) => pageOfEntries(reader(), tenant, query),
    cells: ({ id, transactionId, subjectId, orderId, cause, account, currency, amount, createdAt }) => ({
      ...{ id, transactionId, createdAt: toWire(createdAt), cause, subjectId, orderId, account, currency },
      amount: formatMoney({ minor: amount, currency }),
    }),
  }),
  payouts: list({
    needs: 'sales.export',
    read: async ({ tenant }) => whole(await newestPayouts(reader(), tenant, mostPayouts)),
    cells: ({ id, status, currency, amount, reference, byHand, createdAt, finishedAt }) => ({
      ...{ id, status, currency, amount: formatMoney({ minor: amount, currency }), reference },
      ...{ way: byHand ? 'by hand' : 'by file', createdAt: toWire(createdAt), finishedAt: moment(finishedAt) },
    }),
  }),
  emails: list({
    needs: 'sales.export',
    read: ({ tenant }, query, filters) => pageOfEmails(reader(), tenant, query, status(emailStatuses, filters)),
    cells: ({ id, kind, to, locale, status, orderId, originalId, createdAt, sentAt, bouncedAt, complainedAt }) => ({
      ...{ id, kind, to, locale, status, orderId, originalId, createdAt: toWire(createdAt), sentAt: moment(sentAt) },
      ...{ bouncedAt: moment(bouncedAt), complainedAt: moment(complainedAt) },
    }),
  }),
} as const

/** What a storefront is set up with: who sees it may take it along. */
const setUp = {
  catalog: list({
    needs: 'sales.read',
    read: ({ tenant }, query, { kind }) => {
      const asked: ProductKind = kind === 'one_off_product' ? 'one_off_product' : 'subscription_plan'
      return pageOfProducts(reader(), tenant, asked, query, true)
    },
    cells: ({ id, status, review, terms, taxBehavior, archivedAt, createdAt }) => ({
      ...{ id, name: terms.name, status, review, currency: terms.price.currency, price: formatMoney(terms.price) },
      ...{ taxBehavior, productType: terms.productType, interval: terms.billingInterval?.interval ?? null },
      ...{ intervalCount: terms.billingInterval?.intervalCount ?? null, archivedAt: moment(archivedAt) },
      createdAt: toWire(createdAt),
    }),
  }),
  endpoints: list({
    needs: 'deliveries.read',
    read: async ({ tenant }) => whole((await pageOfEndpoints(reader(), tenant, { limit: mostEndpoints })).rows),
    cells: ({ id, url, enabledEvents, createdAt }) => ({
      ...{ id, url, enabledEvents: enabledEvents.join(' '), createdAt: toWire(createdAt) },
    }),
  }),
  deliveries: list({
    needs: 'deliveries.read',
    read: ({ tenant }, query, { endpoint, ...filters }) =>
      pageOfDeliveries(reader(), tenant, query, {
        ...status(deliveryStates.states, filters),
        endpointId: endpoint ?? undefined,
      }),
    cells: ({ id, eventId, eventName, entityId, status, attempts, endpoint, createdAt, nextAttemptAt }) => ({
      ...{ id, eventId, eventName, entityId, status, attempts, endpointId: endpoint.id, endpointUrl: endpoint.url },
      ...{ createdAt: toWire(createdAt), nextAttemptAt: moment(nextAttemptAt) },
    }),
  }),
  keys: list({
    needs: 'keys.change',
    read: async ({ tenant }) => whole(await keysOf(tenant)),
    cells: ({ id, hint, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
      ...{ id, hint, createdAt: toWire(createdAt), lastUsedAt: moment(lastUsedAt) },
      ...{ expiresAt: moment(expiresAt), revokedAt: moment(revokedAt) },
    }),
  }),
  members: list({
    needs: 'members.change',
    read: async ({ storefront }) => whole([...(await listMembers(storefront.merchant.id)).members]),
    cells: ({ id, email, role, createdAt, hasSecondFactor }) => ({
      ...{ id, email, role, createdAt: toWire(createdAt), hasSecondFactor: hasSecondFactor ? 'yes' : 'no' },
    }),
  }),
} as const

const keysOf = async ({ storefrontId, testmode }: Tenant) =>
  (await listKeys(storefrontId)).filter((key) => key.testmode === testmode)

/** What can be exported of a storefront and mode, by the name of its section. */
export const exports = { ...sales, ...setUp } as const

const rowsAtOnce = 200

/** The lines of a list, a page of it at a time, with the names of its columns in the first. */
export async function* partsOf<Row extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  cells: (row: Row) => Cells,
): AsyncGenerator<string> {
  let startingAfter: string | undefined
  do {
    const { rows, next } = await read({ limit: rowsAtOnce, startingAfter })
    const lines = rows.map(cells)
    const header = startingAfter === undefined && lines[0] ? csvLine(Object.keys(lines[0])) : ''
    yield header + lines.map((each) => csvLine(Object.values(each))).join('')
    startingAfter = next ? rows.at(-1)?.id : undefined
  } while (startingAfter !== undefined)
}
