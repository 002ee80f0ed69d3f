import { addDuration } from '../../../kernel/calendar.ts'
import type { TaxIdEffect } from '../../tax/rules/index.ts'

/**
 * What a consumer's right of withdrawal is about. Directive 2011/83/EU ends it early for digital content that begins to
 * be supplied with the buyer's consent and knowledge (art. 16(m)); a service that begins at once is paid for until the
 * withdrawal (art. 14(3)).
 */
export type WithdrawalKind = 'digital_content' | 'service' | 'mixed'

/** From the conclusion of the contract (art. 9). */
const withdrawalPeriod = { days: 14 }

/** The last moment of the right of withdrawal of a paid order. Null without the right, and before the payment. */
export const withdrawalUntil = ({
  withdrawal,
  paidAt,
}: {
  readonly withdrawal: object | null
  readonly paidAt: Date | null
}): Date | null => withdrawal && paidAt && addDuration(paidAt, withdrawalPeriod)

/** The European Economic Area, where the directive holds. */
const eea = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
])

/** Null for buyers elsewhere, and for companies: those whose tax ID was confirmed. */
export function withdrawalOf(
  lines: readonly { readonly productType: string }[],
  { country, taxId }: { country: string; taxId: TaxIdEffect },
): WithdrawalKind | null {
  if (!eea.has(country) || taxId === 'reverse_charge' || taxId === 'domestic') return null
  const content = lines.filter(({ productType }) => productType === 'ebook').length
  return content === lines.length ? 'digital_content' : content === 0 ? 'service' : 'mixed'
}
