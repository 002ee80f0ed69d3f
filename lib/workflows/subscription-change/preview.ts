import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { wireQuote, wireTaxes } from '../../modules/orders/resource.ts'
import { chargesOf, heldBackBy } from '../../modules/outstanding/coming-charges.ts'
import type { ChangePreview } from '../../modules/subscriptions/page.ts'
import { type ChangePreviewShape, changeRefusals } from '../../modules/subscriptions/preview-contract.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { describer } from '../invoicing/bill.ts'
import { requireChargeable } from './charged-at-once.ts'
import { type Decided, decide } from './decide.ts'
import type { Resolved } from './resolve.ts'

type Where = Tenant & { readonly sql: Sql }

export interface Previewed {
  readonly preview: ChangePreview
  readonly decided: Decided
}

export async function previewOf(
  { sql, ...tenant }: Where,
  before: rules.Subscription,
  asked: rules.Change,
  now: Date,
): Promise<Previewed> {
  const decided = await decide({ sql }, before, asked, now)
  const { next, events, lines } = decided
  const { country } = config().seller
  const { currency } = next.price
  const inWords = await describer(next)
  const quote = (of: readonly rules.BillingLine[]) => {
    const { subtotal, total, taxSummary } = rules.priceLines(next, of, { sellerCountry: country, on: now })
    const money = (minor: bigint) => amount(minor, currency)
    const named = of.map((line) => ({
      description: inWords(line).description,
      subtotal: money(line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount),
    }))
    return { lines: named, subtotal: money(subtotal), taxes: wireTaxes(currency, taxSummary), total: money(total) }
  }
  const added = next.parked.slice(before.parked.length)
  const preview = {
    changesAnything: events.length > 0,
    now: lines.length > 0 ? quote(lines) : null,
    atRenewal: added.length > 0 ? quote(added) : null,
    ...chargesOf(next, await heldBackBy(sql, tenant, next.id), now),
  }
  return { preview, decided }
}

export type WirePreview = z.infer<typeof ChangePreviewShape>

/** `decided` is null if a rule refuses the change. */
export async function wirePreview(
  where: Where,
  before: rules.Subscription,
  { asked, at, problems }: Pick<Resolved, 'asked' | 'at' | 'problems'>,
): Promise<{ readonly preview: WirePreview; readonly decided: Decided | null }> {
  const asOf = toWire(at)
  try {
    if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
    const decided = await decide(where, before, asked, at)
    if (decided.lines.length > 0) await requireChargeable(where, before.id)
    return { preview: { ...(await quotesOf(where, decided, at)), refusal: null, asOf }, decided }
  } catch (error) {
    const code = error instanceof Refusal && changeRefusals.find((each) => each === error.code)
    if (!code) throw error
    const errors = Object.fromEntries(Object.entries(error.on).map(([field, sentences]) => [field, [...sentences]]))
    const refusal = { code, message: error.message, ...(Object.keys(errors).length > 0 && { errors }) }
    return { preview: { dueNow: null, nextRenewal: null, refusal, asOf }, decided: null }
  }
}

export type Quotes = Pick<WirePreview, 'dueNow' | 'nextRenewal'>

export async function quotesOf(where: Where, decided: Decided, at: Date): Promise<Quotes> {
  const { dueNow, nextRenewal } = rules.previewed(decided, at)
  const heldBack = await heldBackBy(where.sql, where, decided.next.id)
  const isUncertain = heldBack?.isSuspended === true && nextRenewal !== null && nextRenewal.at <= at
  return {
    dueNow: dueNow && (await quoteOf(dueNow)),
    nextRenewal: nextRenewal && !isUncertain ? { at: toWire(nextRenewal.at), ...(await quoteOf(nextRenewal)) } : null,
  }
}

/** The amounts that a preview shows, without the texts of its lines. */
export const amountsOf = ({ dueNow, nextRenewal }: Quotes) => [
  dueNow && amountsIn(dueNow),
  nextRenewal && { at: nextRenewal.at, ...amountsIn(nextRenewal) },
]

const amountsIn = ({ subtotal, taxSummary, total }: NonNullable<WirePreview['dueNow']>) => ({
  subtotal,
  taxes: taxSummary,
  total,
})

async function quoteOf({ at, subscription, lines }: rules.Charge) {
  const order = rules.orderOf(subscription, lines, {
    id: '',
    lineIds: [],
    seller: config().seller,
    email: null,
    now: at,
    exchangeRate: null,
    describe: await describer(subscription),
  })
  return wireQuote(order)
}
