import type { Locale } from '../../kernel/locale.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import type { BuyerForm } from '../../modules/checkouts/page.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { withdrawalOf } from '../../modules/orders/rules/withdrawal.ts'
import { insertOrder, orderOfCheckout, saveOrder } from '../../modules/orders/store.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { lastPayment, type Payment } from '../../modules/payments/store.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { contradictingCountry, evidenceOf } from '../../modules/tax/rules/index.ts'
import { findEvidence, saveEvidence } from '../../modules/tax/store.ts'
import { config } from '../../platform/config.ts'
import { translator } from '../../platform/translate.ts'
import { continueOrReplace, createPendingOnPage } from '../collection/pending-on-page.ts'
import { askAgainLater } from '../tax-ids/ask-again-later.ts'
import { completeSale } from './complete-sale.ts'

type Next =
  | { kind: 'page'; problems?: boolean }
  | { kind: 'paid' }
  | { kind: 'cancel first' }
  | { kind: 'pay'; payment: Payment }

interface Submitted {
  readonly typed: BuyerForm
  readonly choice: rules.BuyerChoice
  /** The prices that the buyer saw; null if the form does not contain them. */
  readonly seenPrices: string | null
  readonly locale: Locale
  readonly onOffer: readonly PaymentMethod[]
  readonly beginsAtOnce: boolean
  /** The country of the visitor's IP address, stored as evidence in live mode. */
  readonly ipCountry: string | null
  /** The buyer's time zone (IANA), for the dates in emails. */
  readonly timeZone: string | null
  readonly confirmedCountry: string | null
}

/**
 * Checks the form, creates or updates the order, and creates a pending payment, with the checkout locked. An open payment of the same amount and
 * method continues, and any other open payment is canceled first. If nothing is due today but a subscription will be charged, a payment of 0.00
 * verifies the method. If nothing is ever due, the order is paid immediately. In a suspended storefront no payment starts.
 */
export async function beginPayment(tx: Transaction, checkoutId: string, submitted: Submitted): Promise<Next> {
  const { sql, now, ...tenant } = tx
  const locked = await store.lockCheckout(sql, tenant, checkoutId)
  if (!locked || !rules.isOpen(locked, now)) return { kind: 'page' }
  if ((await sellingOf(sql, tenant)).isSuspended) return { kind: 'page' }
  const before = await orderOfCheckout(sql, checkoutId)
  const last = before && (await lastPayment(sql, before.id))
  if (last?.status === 'pending') return { kind: 'page' }

  const earlier = before && !tenant.testmode ? await findEvidence(sql, before.id) : null
  const checked = await checkForm(tx, locked, submitted, earlier?.paymentCountry ?? null)
  if ('kind' in checked) return checked
  const { checkout, quote, buyer } = checked
  const { paymentMethod: method } = buyer
  const due = { minor: quote.due.total, currency: quote.currency }
  const customerDetails = { ...buyer.details, email: buyer.email }
  const purpose = { kind: 'sale', id: checkoutId } as const
  const wanted = method && { method, amount: due, purpose, customerDetails, locale: submitted.locale }
  const standing = await continueOrReplace(tx, { before, last }, wanted)
  if (standing === 'cancel first') return { kind: standing }
  const order = await saveSale(tx, checked, before, submitted.locale)
  if (!tenant.testmode) await keepTaxEvidence(tx, order, checked, submitted)
  if (method === null) {
    await completeSale(tx, { checkout, order }, { method, mandate: null })
    return { kind: 'paid' }
  }
  if (standing) return { kind: 'pay', payment: standing }
  const makesMandate = rules.sellsSubscription(checkout)
  const intended = { orderId: order.id, purpose, method, amount: due, makesMandate }
  return { kind: 'pay', payment: await createPendingOnPage(tx, intended) }
}

interface Checked {
  readonly checkout: rules.Checkout
  readonly quote: ReturnType<typeof rules.quoteSale>
  readonly withdrawal: Order['withdrawal']
  readonly buyer: ReturnType<typeof rules.buyerOf>
}

/**
 * Sends the buyer back to the page if the form has problems, or if the buyer must confirm the country. Also sends the
 * buyer back if the prices differ from the prices that the buyer saw.
 */
async function checkForm(
  { sql, now, ...tenant }: Transaction,
  checkout: rules.Checkout,
  submitted: Submitted,
  paymentCountry: string | null,
): Promise<Checked | Extract<Next, { kind: 'page' }>> {
  const { typed, choice, seenPrices, onOffer, beginsAtOnce, timeZone } = submitted
  const quote = rules.quoteSale(checkout, choice, now)
  const asksForMethod = rules.asksForMethod(quote)
  const taxId = rules.taxIdEffectOf(tenant, choice)
  const companyDetails = rules.companyDetailsFor(taxId, tenant)
  const confirmed = confirmedOf(checkout, submitted, now)
  const isConsumer = !tenant.testmode && taxId !== 'reverse_charge' && asksForMethod
  const elsewhere = isConsumer && !confirmed && contradictingCountry({ ...placesOf(submitted), paymentCountry })
  const problems: rules.Draft['problems'] = {
    ...(elsewhere && { country: { code: 'contradicted', elsewhere } }),
    ...rules.formProblems(typed, {
      alsoRequired: rules.fieldsRequiredBy(companyDetails, typed.country),
      asksForMethod,
      sellsSubscription: rules.sellsSubscription(checkout),
      onOffer,
    }),
  }
  const draft = { form: typed, beginsAtOnce, timeZone, confirmed }
  if (Object.keys(problems).length > 0) {
    await store.saveCheckout(sql, { ...checkout, draft: { ...draft, problems, totalChanged: false } })
    return { kind: 'page', problems: true }
  }
  const totalChanged = seenPrices !== null && seenPrices !== '' && seenPrices !== rules.pricesOf(quote)
  const withDraft = { ...checkout, draft: { ...draft, problems: {}, totalChanged } }
  await store.saveCheckout(sql, withDraft)
  if (totalChanged) return { kind: 'page' }
  const kind = asksForMethod ? withdrawalOf(checkout.lines, { country: typed.country, taxId }) : null
  const withdrawal = kind && { kind, beginsAtOnce }
  return { checkout: withDraft, quote, withdrawal, buyer: rules.buyerOf(typed, { asksForMethod }) }
}

const placesOf = ({ choice, ipCountry }: Submitted) => ({ declaredCountry: choice.country, ipCountry })

function confirmedOf(
  { draft }: rules.Checkout,
  { typed: { country }, confirmedCountry }: Submitted,
  now: Date,
): NonNullable<rules.Draft['confirmed']> | null {
  if (draft?.confirmed?.country === country) return draft.confirmed
  return confirmedCountry === country && country !== '' ? { country, at: now.toISOString() } : null
}

async function keepTaxEvidence(
  tx: Transaction,
  order: Order,
  { quote: { tax, exchangeRate }, checkout }: Checked,
  submitted: Submitted,
): Promise<void> {
  const { choice, ipCountry } = submitted
  const confirmed = checkout.draft?.confirmed
  const evidence = evidenceOf(order, choice, choice.facts, {
    ipCountry,
    countryConfirmedAt: confirmed ? new Date(confirmed.at) : null,
    taxReason: tax.reason,
    exchangeRateOn: exchangeRate?.on ?? null,
    createdAt: tx.now,
  })
  await saveEvidence(tx.sql, tx, evidence)
  await askAgainLater(tx, choice)
}

async function saveSale(
  { sql, now, newId, ...tenant }: Transaction,
  { checkout, quote, withdrawal, buyer }: Checked,
  before: Order | null,
  locale: Locale,
): Promise<Order> {
  const made = rules.orderOfSale({
    checkout,
    quote,
    buyer,
    seller: config().seller,
    locale,
    withdrawal,
    id: before?.id ?? newId('order_'),
    createdAt: before?.createdAt ?? now,
    lineIds: quote.due.lines.map(() => newId('order_item_')),
    verification: (await translator(locale))('orderLines.verification'),
  })
  const waiting = await subscriptionsOfLines(
    sql,
    checkout.lines.map((line) => line.id),
  )
  const order = {
    ...made,
    lines: rules.withSubscriptions(made, checkout, [...waiting.values()]),
    status: before?.status ?? made.status,
    customerId: before?.customerId ?? made.customerId,
  }
  if (before) await saveOrder(sql, order, { lines: true })
  else await insertOrder(sql, tenant, order)
  return order
}
