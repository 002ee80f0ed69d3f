import { isId } from '../../../kernel/ids.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { Product } from '../../catalog/rules/index.ts'
import { itemProblems } from '../../checkouts/rules/index.ts'

export interface PaymentLinkItem {
  readonly productId: string
  readonly quantity: number
  readonly range: { readonly min: number; readonly max: number } | null
  /** `price` is in EUR cents. If it is null, the buyer pays the price that the product has when the buyer submits the form. */
  readonly price: bigint | null
  readonly trialDays: number | null
  readonly metadata: string | null
}

export interface PaymentLink {
  readonly id: string
  readonly testmode: boolean
  readonly name: string
  readonly active: boolean
  /** `redirectUrlSuccess` is null if the buyer stays on the checkout page after the payment. */
  readonly redirectUrlSuccess: string | null
  readonly locale: Locale | null
  readonly metadata: string | null
  readonly createdAt: Date
  readonly items: readonly PaymentLinkItem[]
}

const prefix = 'payment_link_'

/**
 * The code of a payment link is not secret. It is a part of the id, so the rotation of a secret key does not change the
 * code.
 */
export const codeOf = (id: string): string => id.slice(prefix.length)

export const idOfCode = (code: string): string | null => (isId(prefix, prefix + code) ? prefix + code : null)

export type PaymentLinkState = 'open' | 'closed' | 'suspended' | 'unavailable'

/** `open`: the link is active, its storefront can sell, and each permitted quantity of its items makes a valid checkout. */
export function stateOf(
  { active, items }: Pick<PaymentLink, 'active' | 'items'>,
  products: ReadonlyMap<string, Product>,
  { isSuspended }: { isSuspended: boolean },
): PaymentLinkState {
  if (!active) return 'closed'
  if (isSuspended) return 'suspended'
  const problems = itemProblems(
    items.map(({ productId, quantity, range, price, trialDays }) => ({
      id: productId,
      quantity: range?.max ?? quantity,
      price: price === null ? null : { minor: price, currency: 'EUR' },
      trialDays,
    })),
    products,
  )
  return Object.keys(problems).length === 0 ? 'open' : 'unavailable'
}

export const quantityField = (index: number): string => `quantity.${index}`

/**
 * Reads the entered quantities, and limits each quantity to the range of its item. Text that is not a number becomes
 * the default quantity. `isExact` is true if each entered quantity was used unchanged.
 */
export function quantitiesIn(
  items: readonly PaymentLinkItem[],
  form: { get(name: string): string | null },
): { quantities: number[]; isExact: boolean } {
  const chosen = items.map(({ quantity, range }, index) => {
    const typed = range ? form.get(quantityField(index)) : null
    if (!range || typed === null) return { quantity, isExact: true }
    const text = typed.trim()
    if (!/^\d{1,9}$/.test(text)) return { quantity, isExact: false }
    const within = Math.min(Math.max(Number(text), range.min), range.max)
    return { quantity: within, isExact: within === Number(text) }
  })
  return { quantities: chosen.map(({ quantity }) => quantity), isExact: chosen.every(({ isExact }) => isExact) }
}
