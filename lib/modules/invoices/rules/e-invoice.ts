import { isCountry } from '../../../kernel/countries.ts'
import { formatMoney, sum } from '../../../kernel/money.ts'
import type { Order, OrderLine, Seller } from '../../orders/rules/order.ts'
import { canonicalTaxId, isInEuVatArea, isOutsideScope, isReverseCharge, type TaxRate } from '../../tax/rules/index.ts'
import { type DateOfSupply, lastSecondOf } from './date-of-supply.ts'
import { vatStatedOf } from './vat-stated.ts'

/** An invoice in the model of EN 16931-1. BT and BG are the numbers of the model's terms and groups. Amounts have two decimals. Days are ISO 8601 in UTC. */
export interface EInvoice {
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly issuedOn: string
  readonly currency: string
  readonly note: string | null
  /** BG-3, the corrected document; null for an original invoice. */
  readonly corrects: { readonly number: string; readonly issuedOn: string } | null
  /**
   * The day of supply (BT-72). For a service period, this is the last day, because the service is complete on this day
   * (Directive 2006/112/EC, art. 64).
   */
  readonly suppliedOn: string
  /** BG-14, the first and the last day of all services. */
  readonly suppliedIn: Days | null
  readonly seller: Party
  readonly buyer: Party
  readonly paymentMeans: string
  readonly lines: readonly EInvoiceLine[]
  readonly taxes: readonly (EInvoiceTax & { readonly taxable: string; readonly amount: string })[]
  readonly subtotal: string
  readonly tax: string
  /** BT-6 and BT-111: the VAT in the currency of the seller or of the taxing country. */
  readonly taxStated: { readonly currency: string; readonly amount: string } | null
  readonly total: string
}

interface Party {
  readonly name: string
  readonly contact: string | null
  readonly street: string | null
  readonly streetAdditional: string | null
  readonly postalCode: string | null
  readonly city: string | null
  readonly region: string | null
  readonly country: string
  readonly vatId: string | null
  /**
   * The tax ID, if `vatId` must not state it. This is the case if the sale is outside the scope of VAT (BR-O-02) or if
   * the ID has no country prefix (BR-CO-09).
   */
  readonly legalId: string | null
}

interface EInvoiceLine {
  readonly name: string
  /** `quantity` is negative for a credit, because a price must not be negative (BR-27). */
  readonly quantity: number
  readonly price: string
  readonly priceQuantity: number
  readonly subtotal: string
  readonly period: Days | null
  readonly tax: EInvoiceTax
}

interface Days {
  readonly from: string
  readonly until: string
}

/** The category is a code of UNTDID 5305: S standard, Z zero, AE reverse charge, O not subject to VAT. `exemption` is the VATEX reason for no tax. */
interface EInvoiceTax {
  readonly category: 'S' | 'Z' | 'AE' | 'O'
  readonly percentage: string | null
  readonly exemption: { readonly code: string; readonly reason: string } | null
}

/** The codes are from UNTDID 4461. No method has the code of a credit transfer, which requires an account of the seller (EN 16931, BR-61). */
const paymentMeans: Readonly<Record<string, string>> = {
  creditcard: '54',
  ideal: '68',
  bancontact: '68',
  paypal: '68',
  directdebit: '59',
  banktransfer: '68',
  paybybank: '68',
}
const instrumentNotDefined = '1'

export const hasEInvoice = ({ seller, customerDetails: buyer, lines }: Order): boolean =>
  isVatId(seller.vatId) &&
  Boolean(buyer.country) &&
  lines.length > 0 &&
  lines.every(({ taxes: [first, ...others] }) => first && others.length === 0 && isOfVat(first.rate))

interface DocumentNumber {
  readonly number: string
  readonly issuedAt: Date
}

interface Issued {
  readonly order: Order
  readonly number: string
  readonly issuedAt: Date
  readonly credits: DocumentNumber | null
  readonly replaces: DocumentNumber | null
  readonly supply: DateOfSupply
  readonly note: string | null
}

/**
 * Returns null if EN 16931 cannot express the order. This is the case if the seller has no VAT ID with a country
 * prefix, or if the buyer has no country. It is also the case if a tax is not VAT (Canada), or if the total of a credit
 * note is 0.00 (BR-16).
 */
export function eInvoiceOf({ order, number, issuedAt, credits, replaces, supply, note }: Issued): EInvoice | null {
  const { seller, customerDetails: buyer, currency, lines } = order
  if (!hasEInvoice(order) || !buyer.country) return null
  const corrected = credits ?? replaces
  const money = (minor: bigint) => formatMoney({ minor, currency })
  const taxOf = (rate: TaxRate) => eInvoiceTax(rate, order)
  // EN 16931 allows only one tax currency, so the e-invoice states only the first currency. If the VAT must be stated
  // in the seller's currency, this currency is the first.
  const [stated] = vatStatedOf(order)
  const isOutside = order.taxSummary.some(({ rate }) => taxOf(rate).category === 'O')
  return {
    kind: credits ? 'credit_note' : 'invoice',
    number,
    issuedOn: dayOf(issuedAt),
    currency,
    note,
    corrects: corrected && { number: corrected.number, issuedOn: dayOf(corrected.issuedAt) },
    suppliedOn: dayOf(supply.at ?? (supply.period ? lastSecondOf(supply.period) : issuedAt)),
    suppliedIn: supply.period && daysOf(supply.period),
    seller: sellerParty(seller, isOutside),
    buyer: {
      name: buyer.companyName ?? buyer.fullName ?? buyer.email ?? '–',
      contact: buyer.companyName ? buyer.fullName : null,
      street: buyer.streetAndNumber,
      streetAdditional: buyer.streetAdditional,
      postalCode: buyer.postalCode,
      city: buyer.city,
      region: buyer.region,
      country: buyer.country,
      ...buyerIds(buyer.taxId, isOutside),
    },
    paymentMeans: paymentMeans[order.paymentMethod ?? ''] ?? instrumentNotDefined,
    lines: lines.map((line) => ({
      name: (line.onInvoice?.description ?? line.description).replaceAll(/\s+/g, ' ').trim(),
      ...priced(line, money),
      subtotal: money(line.subtotal),
      period: line.onInvoice?.service ? daysOf(line.onInvoice.service) : null,
      tax: taxOf(line.taxes[0]?.rate ?? noVat),
    })),
    taxes: order.taxSummary.map(({ rate, amount }) => ({
      ...taxOf(rate),
      taxable: money(
        sum(lines.filter(({ taxes }) => taxes[0]?.rate.name === rate.name).map(({ subtotal }) => subtotal)),
      ),
      amount: money(amount),
    })),
    subtotal: money(order.subtotal),
    tax: money(order.total - order.subtotal),
    taxStated: stated ? { currency: stated.currency, amount: stated.value } : null,
    total: money(order.total),
  }
}

/**
 * Whether the ID has a country prefix, which BR-CO-09 requires. Norway's VAT IDs are often written without this prefix.
 */
const isVatId = (id: string | null): boolean => {
  const prefix = id?.slice(0, 2) ?? ''
  return isCountry(prefix) || prefix === 'EL' || prefix === 'XI'
}

/** Returns a VAT ID in the spelling of the registry, because recipients compare this spelling. An ID without a country prefix stays as entered. */
function buyerIds(typed: string | null, isOutside: boolean): Pick<Party, 'vatId' | 'legalId'> {
  const canonical = typed && canonicalTaxId(typed)
  if (!isVatId(canonical)) return { vatId: null, legalId: typed }
  return isOutside ? { vatId: null, legalId: canonical } : { vatId: canonical, legalId: null }
}

const noVat: TaxRate = { name: 'VAT', percentage: '0' }

const isOfVat = (rate: TaxRate): boolean =>
  rate.name === 'VAT' || isReverseCharge([{ rate }]) || isOutsideScope([{ rate }])

function eInvoiceTax(rate: TaxRate, { seller, customerDetails: buyer }: Order): EInvoiceTax {
  const isInEu = isInEuVatArea(seller.country) && isInEuVatArea(buyer.country)
  if (isReverseCharge([{ rate }]) && isInEu)
    return { category: 'AE', percentage: '0', exemption: { code: 'VATEX-EU-AE', reason: 'Reverse charge' } }
  if (isReverseCharge([{ rate }]) || isOutsideScope([{ rate }]))
    return { category: 'O', percentage: null, exemption: { code: 'VATEX-EU-O', reason: 'Not subject to VAT' } }
  return { category: Number(rate.percentage) === 0 ? 'Z' : 'S', percentage: rate.percentage, exemption: null }
}

const sellerParty = ({ name, street, postalCode, city, country, vatId }: Seller, isOutside: boolean): Party => ({
  name,
  contact: null,
  street,
  streetAdditional: null,
  postalCode,
  city,
  region: null,
  country,
  ...(isOutside ? { vatId: null, legalId: vatId } : { vatId, legalId: null }),
})

function priced(
  { basePrice, quantity, subtotal }: OrderLine,
  money: (minor: bigint) => string,
): Pick<EInvoiceLine, 'quantity' | 'price' | 'priceQuantity'> {
  const sign = subtotal < 0n ? -1 : 1
  const [whole = '', decimals = ''] = basePrice.replace('-', '').split('.')
  const unscaled = BigInt(whole + decimals) * BigInt(quantity)
  const isExact = unscaled === (subtotal < 0n ? -subtotal : subtotal) * 10n ** BigInt(decimals.length - 2)
  const price = isExact ? `${whole}.${decimals}` : money(subtotal < 0n ? -subtotal : subtotal)
  return { quantity: sign * quantity, price, priceQuantity: isExact ? 1 : quantity }
}

const daysOf = (period: NonNullable<DateOfSupply['period']>): Days => ({
  from: dayOf(period.from),
  until: dayOf(lastSecondOf(period)),
})

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
