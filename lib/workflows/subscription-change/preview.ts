import { amount } from '../../kernel/money.ts'
import { wireTaxes } from '../../modules/orders/resource.ts'
import { chargesOf, heldBackBy } from '../../modules/outstanding/coming-charges.ts'
import type { ChangePreview } from '../../modules/subscriptions/page.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { describer } from '../invoicing/bill.ts'
import { decide } from './decide.ts'

/** The effect of a change at a time. */
export interface Previewed {
  readonly preview: ChangePreview
  readonly next: rules.Subscription
}

/**
 * Previews a change by the rules that make it: the immediate charge, the amounts that wait for the next renewal, and
 * the charge after that.
 */
export async function previewOf(
  { sql, ...tenant }: Tenant & { sql: Sql },
  before: rules.Subscription,
  asked: rules.Change,
  now: Date,
): Promise<Previewed> {
  const { next, events, lines } = await decide({ sql }, before, asked, now)
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
  return { preview, next }
}
