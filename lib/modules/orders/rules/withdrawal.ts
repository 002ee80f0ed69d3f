import { addDuration, dayAfter, endOfDay } from '../../../kernel/calendar.ts'
import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import type { TaxIdEffect } from '../../tax/rules/index.ts'

/**
 * Directive 2011/83/EU ends the right of withdrawal early for digital content whose supply began with the buyer's
 * consent and knowledge (art. 16(m)). A consumer pays for a service that began at once until the withdrawal (art.
 * 14(3)).
 */
export type WithdrawalKind = 'digital_content' | 'service' | 'mixed'

/** From the conclusion of the contract (art. 9). */
const withdrawalPeriod = { days: 14 }

/**
 * As `2026-12-04`: the 14th day after the payment, in the buyer's time zone, or in UTC if unknown. Null without the
 * right, and before the payment. Pages and emails state this day, and `declarableUntil` is never before its end.
 */
export const lastWithdrawalDay = (
  { withdrawal, paidAt }: { readonly withdrawal: object | null; readonly paidAt: Date | null },
  timeZone: string | null,
): string | null => withdrawal && paidAt && dayAfter(paidAt, withdrawalPeriod.days, timeZone ?? 'UTC')

/**
 * The European Economic Area, and parts of member states with their own code: the outermost regions of France, and
 * Åland (TFEU, art. 355(1) and (4)). These parts are outside the VAT area only. Saint-Barthélemy, other overseas
 * countries, and Svalbard are not included.
 */
const eea = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
  ...['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'],
])

/** Null for buyers in other countries, and for companies, which are buyers with a confirmed tax ID. */
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
 * The time until which the page accepts a declaration, never earlier than the law requires. The day of the contract
 * does not count. The period ends with the last hour of its last day, and not on a weekend (Regulation 1182/71, art.
 * 3). As the time zone can be unknown, the first day begins in the east (Réunion, UTC+4) and the last day ends in the
 * west (Martinique, UTC-4). Never before the end of `lastWithdrawalDay` in any time zone.
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

/** `open`: lines are left. `lost`: no line has the right any more. Null without the right, and before the payment. */
export function withdrawalState(
  order: Right,
  { isDeclared, isLeft, timeZone, now }: Progress & { readonly now: Date },
): WithdrawalState | null {
  const until = declarableUntil(order, timeZone)
  if (!until) return null
  if (isLeft && now < until) return 'open'
  return isDeclared ? 'declared' : isLeft ? 'over' : 'lost'
}

/** False for digital content whose supply began with the buyer's consent. */
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
  /** Null: all units that are left. */
  readonly quantity: number | null
  /** The number of units left when the form was displayed. Null: all units. */
  readonly left: number | null
}

/**
 * A contract with one line needs no name; otherwise the declaration covers the named lines. A form displayed before
 * another declaration about the same line does not cover the line: a form sent twice would count twice. Empty if no
 * named line is left. `isPossible` checks the quantities.
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

/** In minor units before tax. The parts of all units add up to exactly the subtotal, in any order of withdrawals. */
export function subtotalOfUnits(
  { subtotal, quantity }: { readonly subtotal: bigint; readonly quantity: number },
  { before, units }: { readonly before: number; readonly units: number },
): bigint {
  const shareOf = (count: number) => divideHalfAwayFromZero(subtotal * BigInt(count), BigInt(quantity))
  return shareOf(before + units) - shareOf(before)
}
