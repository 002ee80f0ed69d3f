import { ownCurrency, type StatedCurrency } from '../../../kernel/currencies.ts'
import { isInEuVatArea } from './eu.ts'
import type { Registration } from './registration.ts'
import { declarationOf, type TaxDocument } from './returns.ts'

/** Great Britain (Value Added Tax Regulations 1995, reg. 14(1)) and Norway (Bokføringsforskriften § 5-1-1) require the VAT in their currency. */
const asking: readonly string[] = ['GB', 'NO']

/**
 * Returns the currencies, in addition to the currency of the document, in which the document must state the VAT. Two EU
 * member states can require their national currency (Directive 2006/112/EC, art. 230). The seller's state always
 * requires its currency, even for the One Stop Shop (art. 219a(2)). The buyer's state requires its currency only if the
 * tax is declared there directly. A document without tax needs no additional currency.
 */
export function vatCurrenciesOf(
  document: Omit<TaxDocument, 'exchangeRate' | 'subtotal'>,
  registrations: readonly Registration[],
): StatedCurrency[] {
  if (document.taxes.every(({ amount }) => amount === 0n)) return []
  const { declaration, country } = declarationOf(document, registrations)
  const asked = [currencyAsked(document.sellerCountry), declaration === 'local' ? currencyAsked(country) : null]
  return [...new Set(asked)].flatMap((currency) => (currency && currency !== document.currency ? [currency] : []))
}

function currencyAsked(country: string): StatedCurrency | null {
  if (isInEuVatArea(country)) return ownCurrency(country) ?? 'EUR'
  return asking.includes(country) ? ownCurrency(country) : null
}
