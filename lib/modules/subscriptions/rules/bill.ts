import { sum } from '../../../kernel/money.ts'
import {
  type CustomerDetails,
  type Described,
  type InvoiceDetails,
  type Order,
  type OrderLine,
  orderDefaults,
  type Seller,
  type TermsChange,
} from '../../orders/rules/order.ts'
import { computeTax, taxFor } from '../../tax/rules/index.ts'
import type { MandateMethod, ProrationLine, Subscription } from './subscription.ts'

/** Amounts are in minor units of the subscription's currency. */
export type BillingLine =
  | {
      readonly kind: 'period'
      readonly name: string
      readonly unitPrice: bigint
      readonly quantity: number
      readonly change?: TermsChange
    }
  | ProrationLine
  | { readonly kind: 'verification'; readonly amount: 0n }

export const methodOf: Readonly<Record<MandateMethod, 'creditcard' | 'paypal' | 'directdebit'>> = {
  card: 'creditcard',
  paypal: 'paypal',
  sepa_debit: 'directdebit',
  bacs_debit: 'directdebit',
}

const amountOfLine = (line: BillingLine): bigint =>
  line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount

/** An order of 0.00 is paid immediately, without a charge. */
export const isCharged = (lines: readonly BillingLine[]): boolean => sum(lines.map(amountOfLine)) > 0n

export function priceLines<Line extends BillingLine>(
  subscription: Subscription,
  lines: readonly Line[],
  { sellerCountry, on }: { sellerCountry: string; on: Date },
) {
  const { taxFacts: facts, billingAddress } = subscription
  const { country, taxId, postalCode } = billingAddress
  const sale = { buyerCountry: country ?? '', sellerCountry, taxId, postalCode, facts, on }
  const { rates } = taxFor(subscription).decide(sale)
  const taxable = lines.map((line) => ({
    line,
    unitPrice: line.kind === 'period' ? line.unitPrice : line.amount,
    quantity: line.kind === 'period' ? line.quantity : 1,
  }))
  return computeTax({ behavior: subscription.taxBehavior, rates, lines: taxable })
}

export function orderOf(
  subscription: Subscription,
  lines: readonly BillingLine[],
  given: {
    id: string
    lineIds: readonly string[]
    seller: Seller
    email: string | null
    now: Date
    /** The time whose tax rates apply; by default `now`. */
    taxedAt?: Date | undefined
    exchangeRate: Order['exchangeRate']
    describe: (line: BillingLine) => Described
  },
): Order {
  const priced = priceLines(subscription, lines, {
    sellerCountry: given.seller.country,
    on: given.taxedAt ?? given.now,
  })
  const customerDetails: CustomerDetails = { ...subscription.billingAddress, email: given.email }
  return {
    ...orderDefaults,
    id: given.id,
    testmode: subscription.testmode,
    checkoutId: null,
    subscriptionId: subscription.id,
    customerId: subscription.customerId,
    paymentMethod: subscription.mandate ? methodOf[subscription.mandate.method] : null,
    currency: subscription.price.currency,
    exchangeRate: given.exchangeRate,
    taxBehavior: subscription.taxBehavior,
    subtotal: priced.subtotal,
    total: priced.total,
    taxSummary: priced.taxSummary,
    lines: priced.lines.map(
      ({ line, ...tax }, index): OrderLine => ({
        id: given.lineIds[index] ?? '',
        ...describedLine(subscription, line, given.describe(line)),
        quantity: tax.quantity,
        basePrice: tax.basePrice,
        subtotal: tax.subtotal,
        total: tax.total,
        taxes: tax.taxes,
        metadata: null,
        ...(line.kind === 'verification'
          ? { productType: 'billing_details_verification', productId: null }
          : { productType: 'subscription', productId: subscription.id }),
      }),
    ),
    customerDetails,
    seller: given.seller,
    locale: subscription.locale,
    metadata: lines.some(({ kind }) => kind === 'verification') ? null : subscription.metadata,
    createdAt: given.now,
  }
}

function describedLine(
  { period }: Subscription,
  line: BillingLine,
  { description, invoiceDescription }: Described,
): Pick<OrderLine, 'description' | 'onInvoice'> {
  if (line.kind === 'verification') return { description, onInvoice: null }
  const own = period && { from: period.startAt, until: period.endAt }
  const service: InvoiceDetails['service'] = line.kind === 'period' ? own : { from: line.from, until: line.until }
  return { description, onInvoice: { description: invoiceDescription, service, change: line.change ?? null } }
}
