import { type Amount, cents } from './mollie-books.ts'

type Sequence = 'oneoff' | 'first' | 'recurring'

interface AccountMethod {
  readonly id: string
  readonly description: string
  readonly sequences: readonly Sequence[]
  readonly eurosOnly: boolean
  readonly verifies: boolean
  readonly least: string
  readonly most: string | null
}

/** SEPA Direct Debit is only `recurring`, because it has no payment page and a charge needs a mandate. */
export const usualMethods: readonly AccountMethod[] = [
  account('creditcard', 'Card', ['oneoff', 'first', 'recurring'], { most: '10000.00', verifies: true }),
  account('paypal', 'PayPal', ['oneoff', 'first', 'recurring'], { most: null, verifies: true }),
  account('ideal', 'iDEAL', ['oneoff', 'first'], { most: '50000.00', eurosOnly: true }),
  account('bancontact', 'Bancontact', ['oneoff', 'first'], { most: '50000.00', eurosOnly: true }),
  account('directdebit', 'SEPA Direct Debit', ['recurring'], { most: '1000.00', eurosOnly: true }),
  account('banktransfer', 'Bank transfer', ['oneoff'], { most: '1000000.00', eurosOnly: true }),
  account('paybybank', 'Pay by Bank', ['oneoff'], { most: '30000.00', eurosOnly: true }),
]

function account(
  id: string,
  description: string,
  sequences: readonly Sequence[],
  { most, eurosOnly = false, verifies = false }: { most: string | null; eurosOnly?: boolean; verifies?: boolean },
): AccountMethod {
  return { id, description, sequences, eurosOnly, verifies, least: '0.01', most }
}

export function usableMethods(
  methods: readonly AccountMethod[],
  { sequence, amount }: { sequence: Sequence; amount: Amount | null },
): readonly AccountMethod[] {
  return methods.filter((method) => {
    if (!method.sequences.includes(sequence)) return false
    if (!amount) return true
    if (method.eurosOnly && amount.currency !== 'EUR') return false
    if (cents(amount) === 0) return sequence === 'first' && method.verifies
    return isWithin(method, amount)
  })
}

const isWithin = ({ least, most }: AccountMethod, amount: Amount): boolean =>
  cents(amount) >= cents({ ...amount, value: least }) &&
  (most === null || cents(amount) <= cents({ ...amount, value: most }))

const imageOf = (id: string) => ({
  size1x: `https://www.mollie.com/external/icons/payment-methods/${id}.png`,
  size2x: `https://www.mollie.com/external/icons/payment-methods/${id}%402x.png`,
  svg: `https://www.mollie.com/external/icons/payment-methods/${id}.svg`,
})

export const shownMethod = ({ id, description, least, most }: AccountMethod) => ({
  resource: 'method',
  id,
  description,
  minimumAmount: { currency: 'EUR', value: least },
  maximumAmount: most === null ? null : { currency: 'EUR', value: most },
  image: imageOf(id),
  status: 'activated',
  _links: { self: { href: `https://api.mollie.com/v2/methods/${id}`, type: 'application/hal+json' } },
})

export type { AccountMethod, Sequence }
