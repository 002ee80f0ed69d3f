import { addDuration, dayAfter, endOfDay } from '../../../kernel/calendar.ts'
import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import type { TaxIdEffect } from '../../tax/rules/index.ts'

/**
 * What a consumer's right of withdrawal is about. Directive 2011/83/EU ends it early for digital content that begins to
 * be supplied with the buyer's consent and knowledge (art. 16(m)); a service that begins at once is paid for until the
 * withdrawal (art. 14(3)).
 */
export type WithdrawalKind = 'digital_content' | 'service' | 'mixed'

/** From the conclusion of the contract (art. 9). */
const withdrawalPeriod = { days: 14 }

/**
 * The last day of the right of withdrawal of a paid order, as `2026-12-04`: the 14th after the day of the payment, in the
 * buyer's time zone, or in UTC where that is not known. Null without the right, and before the payment. Pages and emails
 * state this day; `declarableUntil` is never before its end.
 */
export const lastWithdrawalDay = (
  { withdrawal, paidAt }: { readonly withdrawal: object | null; readonly paidAt: Date | null },
  timeZone: string | null,
): string | null => withdrawal && paidAt && dayAfter(paidAt, withdrawalPeriod.days, timeZone ?? 'UTC')

/**
 * The European Economic Area, where the directive holds, with the parts of member states that have a code of their own:
 * the outermost regions of France, and Åland (TFEU, art. 355(1) and (4)). They are outside the area of value added tax
 * alone. The treaties do not apply so to Saint-Barthélemy and the other overseas countries, nor the agreement to Svalbard.
 */
const eea = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
  ...['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT'],
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

/** Of an order. */
interface Right {
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean } | null
  readonly paidAt: Date | null
}

/**
 * Until when a declaration is taken on the page: never less than the law gives. The day of the contract does not count,
 * a period ends with the last hour of its last day, and not on a weekend (Regulation 1182/71, art. 3). The day is the one
 * of the buyer's zone, which is not always known: it begins in the east (Réunion, UTC+4) and ends in the west (Martinique, UTC-4).
 * It is never before the end of the day that is stated (`lastWithdrawalDay`), also for a buyer who is far away.
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

/** What was declared of an order, and its buyer's time zone, if it is known. */
export interface Progress {
  readonly isDeclared: boolean
  readonly isLeft: boolean
  readonly timeZone: string | null
}

export type WithdrawalState = 'open' | 'declared' | 'over' | 'lost'

/**
 * What can be done about the right of withdrawal of an order. It is `open` while there are lines to withdraw from, also
 * when others were declared before; `lost` where no line ever has the right any more. Null without the right, and before
 * the payment.
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

/** Whether a declaration concerns a line: not digital content that has begun with the buyer's consent. */
export const isWithdrawable = (
  { productType }: { readonly productType: string },
  { beginsAtOnce }: NonNullable<Right['withdrawal']>,
): boolean => productType !== 'ebook' || !beginsAtOnce

/** A line as a declaration can be about it. */
interface DeclarableLine {
  readonly position: number
  /** How many were bought. */
  readonly quantity: number
  /** How many were not withdrawn from before. */
  readonly left: number
}

/** A line that a form names. */
export interface NamedLine {
  readonly position: number
  /** How many the buyer withdraws from; null: all that are left. */
  readonly quantity: number | null
  /** How many were left when the form was shown; null: all. */
  readonly left: number | null
}

/**
 * The lines that a declaration is about, of those that are left, each with how many. A contract about one line needs no
 * name for it; of others those that are named. A form that was shown before another declaration about a line is not
 * about it: sent twice, it would count twice. Empty if none of them is left, or none was named. A quantity outside 1 to
 * what is left counts as it stands (`isPossible`).
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

/** Whether so many can be withdrawn from. */
export const isPossible = ({ chosen, left }: { readonly chosen: number; readonly left: number }): boolean =>
  Number.isInteger(chosen) && chosen >= 1 && chosen <= left

/**
 * What is to be refunded of a line for units that were withdrawn from, in minor units before tax: their part of its
 * subtotal. All units together have exactly the subtotal, however they are taken.
 */
export function subtotalOfUnits(
  { subtotal, quantity }: { readonly subtotal: bigint; readonly quantity: number },
  { before, units }: { readonly before: number; readonly units: number },
): bigint {
  const shareOf = (count: number) => divideHalfAwayFromZero(subtotal * BigInt(count), BigInt(quantity))
  return shareOf(before + units) - shareOf(before)
}
