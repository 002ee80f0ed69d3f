import { lookUp } from '../../../kernel/look-up.ts'
import { onceOnlyMethods, type PaymentMethod, paymentMethods, testMethods } from './method.ts'

/** Methods that move euros only, because the accounts behind them are in euros. */
const inEurosOnly: readonly PaymentMethod[] = ['ideal', 'bancontact', 'directdebit', 'banktransfer']

/** Cards and PayPal move every currency that buyers may pay in. */
export const moves = (method: PaymentMethod, currency: string): boolean =>
  currency === 'EUR' || !inEurosOnly.includes(method)

/**
 * The service's methods by country, most used first. The Netherlands: iDEAL pays about 70 % of purchases (Betaalvereniging
 * Nederland). Belgium: Bancontact before other cards (Bancontact Payconiq Company).
 * Germany: PayPal 29.6 %, direct debit 20.9 %, cards 12.1 % of sales (EHI, Online-Payment 2023).
 */
const byCountry: Readonly<Record<string, readonly PaymentMethod[]>> = {
  BE: ['bancontact', 'creditcard', 'paypal', 'directdebit'],
  DE: ['paypal', 'directdebit', 'creditcard'],
  NL: ['ideal', 'creditcard', 'paypal', 'directdebit'],
}

/**
 * The geographical scope of the SEPA schemes (European Payments Council, EPC409-09), whose accounts can be debited: the
 * European Economic Area with its territories, and the countries that joined.
 */
const sepa = new Set(
  `AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK MQ
  MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT`.split(/\s+/),
)

/** In all other countries cards are the most used method, and PayPal serves nearly every country. */
const elsewhere: readonly PaymentMethod[] = ['creditcard', 'paypal']

interface Buyer {
  /** ISO 3166-1 alpha-2. Empty while unknown: then every method is offered. */
  readonly country: string
  readonly currency: string
  /** This method stays on offer, because a bank account may be in another country. */
  readonly chosen?: string
  /** The provider's methods. Absent: the methods of test mode. */
  readonly onOffer?: readonly PaymentMethod[]
}

/** The first method is preselected. Empty only if the provider has no methods. */
export function methodsFor({ country, currency, chosen = '', onOffer = testMethods }: Buyer): readonly PaymentMethod[] {
  // A transfer takes days, and few buyers pay by bank, so both methods are last.
  const common = lookUp(byCountry, country) ?? commonIn(country)
  const usual = country === '' ? paymentMethods : [...common, ...onceOnlyMethods]
  const kept = paymentMethods.filter((method) => method === chosen && !usual.includes(method))
  return [...usual, ...kept].filter((method) => moves(method, currency)).filter((method) => onOffer.includes(method))
}

const commonIn = (country: string): readonly PaymentMethod[] =>
  sepa.has(country) ? [...elsewhere, 'directdebit'] : elsewhere
