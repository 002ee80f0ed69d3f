import { addDuration, dayAfter, endOfDay } from '../../../kernel/calendar.ts'
import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import type { TaxIdEffect } from '../../tax/rules/index.ts'

/**
 * Directive 2011/83/EU ends the right of withdrawal early for digital content whose supply began with the buyer's
 * consent (art. 16(m)). For a service that began immediately, a consumer pays for the time until the withdrawal (art.
 * 14(3)).
 */
export type WithdrawalKind = 'digital_content' | 'service' | 'mixed'

/** The withdrawal period starts when the contract is concluded (Directive 2011/83/EU, art. 9). */
const withdrawalPeriod = { days: 14 }

/**
 * Returns the 14th day after the payment, such as `2026-12-04`, in the buyer's time zone (UTC if unknown). Pages and emails state this day. Returns null before
 * the payment, or if the buyer has no right of withdrawal.
 */
export const lastWithdrawalDay = (
  { withdrawal, paidAt }: { readonly withdrawal: object | null; readonly paidAt: Date | null },
  timeZone: string | null,
): string | null => withdrawal && paidAt && dayAfter(paidAt, withdrawalPeriod.days, timeZone ?? 'UTC')

/**
 * The European Economic Area, including the parts of member states that have their own country code: the outermost regions of France, and Åland
 * (TFEU, art. 355(1) and (4)). Excludes Saint-Barthélemy, other overseas countries, and Svalbard.
 */
const eea = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
  ...['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'],
])

/**
 * Returns the kind of the buyer's right of withdrawal. Returns null for buyers outside the European Economic Area, and
 * for companies (buyers with a confirmed tax ID).
 */
export function withdrawalOf(
  lines: readonly { readonly productType: string }[],
  { country, taxId }: { country: string; taxId: TaxIdEffect },
): WithdrawalKind | null {
  if (!eea.has(country) || taxId === 'reverse_charge' || taxId === 'domestic') return null
  const content = lines.filter(({ productType }) => productType === 'ebook').length
  return content === lines.length ? 'digital_content' : content === 0 ? 'service' : 'mixed'
}

interface Right {
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean } | null
  readonly paidAt: Date | null
}

/**
 * Returns the time until which the page accepts a declaration, never earlier than the law requires or than the end of
 * `lastWithdrawalDay`. The day of the contract does not count, and the period does not end on a weekend (Regulation
 * 1182/71, art. 3). The time zone can be unknown, so the result is the latest possible end in the European Economic
 * Area. The contract starts on the day in Réunion (UTC+4), and the last day ends at midnight in Martinique (UTC-4).
 */
export function declarableUntil(order: Right, timeZone: string | null): Date | null {
  const { withdrawal, paidAt } = order
  if (!withdrawal || !paidAt) return null
  const day = new Date(paidAt.getTime() + 4 * hourMs)
  const last = addDuration(
    new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate())),
    withdrawalPeriod,
  )
  if (!last) return null
  const weekday = last.getUTCDay()
  const tillMonday = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
  const end = last.getTime() + (24 * (tillMonday + 1) + 4) * hourMs
  const stated = lastWithdrawalDay(order, timeZone)
  return new Date(Math.max(end, stated === null ? end : endOfDay(stated, timeZone ?? 'UTC').getTime()))
}

const hourMs = 60 * 60_000

export interface Progress {
  readonly isDeclared: boolean
  readonly isLeft: boolean
  readonly timeZone: string | null
}

export type WithdrawalState = 'open' | 'declared' | 'over' | 'lost'

/**
 * `open`: units can still be withdrawn. `declared`: units were withdrawn, and no more can be withdrawn. `over`: the
 * period ended without a withdrawal. `lost`: no line can be withdrawn anymore.
 */
export function withdrawalState(
  order: Right,
  { isDeclared, isLeft, timeZone, now }: Progress & { readonly now: Date },
): WithdrawalState | null {
  const until = declarableUntil(order, timeZone)
  if (!until) return null
  if (isLeft && now < until) return 'open'
  return isDeclared ? 'declared' : isLeft ? 'over' : 'lost'
}

export const isWithdrawable = (
  { productType }: { readonly productType: string },
  { beginsAtOnce }: NonNullable<Right['withdrawal']>,
): boolean => productType !== 'ebook' || !beginsAtOnce

interface DeclarableLine {
  readonly position: number
  readonly quantity: number
  readonly left: number
}

export interface NamedLine {
  readonly position: number
  /** The number of units; null for all remaining units. */
  readonly quantity: number | null
  /** The number of units that remained when the form was displayed; null if all units of the line remained. */
  readonly left: number | null
}

/**
 * Returns the lines that the buyer chose; for a contract with one line, the form may omit the line. Excludes a line if
 * the number of its remaining units differs from the displayed number, so that a second submission has no effect.
 */
export function chosenLines<Line extends DeclarableLine>(
  lines: readonly Line[],
  named: readonly NamedLine[],
): (Line & { readonly chosen: number })[] {
  const all = named.length === 0 && lines.length === 1
  return lines.flatMap((line) => {
    const name = named.find(({ position }) => position === line.position)
    const isShown = line.left > 0 && (name?.left ?? line.quantity) === line.left
    return isShown && (name || all) ? [{ ...line, chosen: name?.quantity ?? line.left }] : []
  })
}

export const isPossible = ({ chosen, left }: { readonly chosen: number; readonly left: number }): boolean =>
  Number.isInteger(chosen) && chosen >= 1 && chosen <= left

/**
 * Returns the amount of the withdrawn units before tax, in minor units. The amounts of all units add up to exactly the
 * subtotal, in whatever order the units are withdrawn.
 */
export function subtotalOfUnits(
  { subtotal, quantity }: { readonly subtotal: bigint; readonly quantity: number },
  { before, units }: { readonly before: number; readonly units: number },
): bigint {
  const shareOf = (count: number) => divideHalfAwayFromZero(subtotal * BigInt(count), BigInt(quantity))
  return shareOf(before + units) - shareOf(before)
}
