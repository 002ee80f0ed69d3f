import { lookUp } from '../../../kernel/look-up.ts'
import { onceOnlyMethods, type PaymentMethod, paymentMethods, testMethods } from './method.ts'

/** These methods use bank accounts in euros, so they are offered only for payments in euros. */
const inEurosOnly: readonly PaymentMethod[] = ['ideal', 'bancontact', 'directdebit', 'banktransfer']

export const moves = (method: PaymentMethod, currency: string): boolean =>
  currency === 'EUR' || !inEurosOnly.includes(method)

/**
 * The most used method is first. Netherlands: about 70 % of purchases use iDEAL (Betaalvereniging Nederland). Belgium: Bancontact before other cards
 * (Bancontact Payconiq Company). Germany: PayPal 29.6 %, direct debit 20.9 %, cards 12.1 % of sales (EHI, Online-Payment 2023).
 */
const byCountry: Readonly<Record<string, readonly PaymentMethod[]>> = {
  BE: ['bancontact', 'creditcard', 'paypal', 'directdebit'],
  DE: ['paypal', 'directdebit', 'creditcard'],
  NL: ['ideal', 'creditcard', 'paypal', 'directdebit'],
}

/** The geographical scope of SEPA direct debits (European Payments Council, EPC409-09). */
const sepa = new Set(
  `AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK MQ
  MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT`.split(/\s+/),
)

/** Cards are the most used method in other countries, and PayPal serves nearly every country. */
const elsewhere: readonly PaymentMethod[] = ['creditcard', 'paypal']

interface Buyer {
  /** `country` is an ISO 3166-1 alpha-2 code. If empty, the country is unknown and every method is offered. */
  readonly country: string
  readonly currency: string
  /**
   * `chosen` is the method that the buyer chose earlier. It is offered in every country, because the buyer's bank account can be outside the buyer's country.
   */
  readonly chosen?: string
  /** The provider's methods; by default, the methods of test mode. */
  readonly onOffer?: readonly PaymentMethod[]
}

/** The page preselects the first method. The result is empty only if the provider has no methods. */
export function methodsFor({ country, currency, chosen = '', onOffer = testMethods }: Buyer): readonly PaymentMethod[] {
  const common = lookUp(byCountry, country) ?? commonIn(country)
  // Bank transfer and pay by bank are last, because a transfer takes days and few buyers use pay by bank.
  const usual = country === '' ? paymentMethods : [...common, ...onceOnlyMethods]
  const kept = paymentMethods.filter((method) => method === chosen && !usual.includes(method))
  return [...usual, ...kept].filter((method) => moves(method, currency)).filter((method) => onOffer.includes(method))
}

const commonIn = (country: string): readonly PaymentMethod[] =>
  sepa.has(country) ? [...elsewhere, 'directdebit'] : elsewhere
