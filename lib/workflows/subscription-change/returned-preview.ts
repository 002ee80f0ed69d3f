import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { holdsOf } from '../../modules/accounts/store.ts'
import { findPreview, insertPreview, latestPreview } from '../../modules/subscriptions/change-previews.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { versionOf } from '../../platform/crypto/version-of.ts'
import type { Sql } from '../../platform/db/db.ts'
import { amountsChanged } from './as-of.ts'
import type { Decided } from './decide.ts'
import { amountsOf, type Quotes, quotesOf, type WirePreview, wirePreview } from './preview.ts'
import { type ChangeBody, type Resolved, requestedChange, resolveAt, resolveChange } from './resolve.ts'

type Where = Tenant & { readonly sql: Sql }

/**
 * Computes a preview, and stores a hash of its amounts for `requireAsReturned`. Two previews of the same change with
 * different amounts never have the same `asOf`. If a change of the subscription lies between two previews in one
 * second, the later preview gets the next second as its `asOf`. A preview of a storefront on hold is not stored.
 * Refuses with `validation_failed` if the `asOf` of the body violates a rule, or if the amounts have changed since this
 * `asOf`.
 */
export async function returnedPreview(
  where: Where,
  before: rules.Subscription,
  body: ChangeBody,
  now: Date,
): Promise<WirePreview> {
  const resolved = await resolveChange(where, before, body, now, { isPreview: true })
  if (resolved.problems.asOf) throw new Refusal('validation_failed', resolved.problems)
  const change = requestedChange(before.id, body)
  const compute = async (at: Date, known?: Resolved) => {
    const dated = known ?? (await resolveAt(where, before, body, { at, now, isDated: true }))
    const { preview } = await wirePreview(where, before, dated)
    return { preview, computedFor: at, amounts: hashOf(preview) }
  }
  for (;;) {
    const earlier = body.asOf
      ? await findPreview(where.sql, change, body.asOf)
      : await latestPreview(where.sql, change, now)
    if (earlier) {
      const again = await compute(earlier.computedFor)
      if (again.amounts === earlier.amounts) return { ...again.preview, asOf: toWire(earlier.asOf) }
      // If a rule now refuses the change, the preview reports the violated rule instead of the changed amounts, as
      // PATCH does.
      if (body.asOf && again.preview.refusal) return { ...again.preview, asOf: toWire(earlier.asOf) }
      if (body.asOf) throw amountsChanged()
    }
    const computed = await compute(resolved.at, resolved)
    const asOf = earlier ? new Date(earlier.asOf.getTime() + 1000) : resolved.at
    if ((await isOnHold(where)) || (await insertPreview(where.sql, where, change, { ...computed, asOf })))
      return { ...computed.preview, asOf: toWire(asOf) }
  }
}

/** A storefront on hold does not change, so its previews are not stored. */
const isOnHold = async ({ sql, storefrontId }: Where): Promise<boolean> =>
  (await holdsOf(sql, [storefrontId])).get(storefrontId) === true

/** Refuses with `validation_failed` if the amounts of the change differ from the amounts of its preview. */
export async function requireAsReturned(
  where: Where,
  decided: Decided,
  { at, returned }: Pick<Resolved, 'at' | 'returned'>,
): Promise<void> {
  if (returned && hashOf({ ...(await quotesOf(where, decided, at)), refusal: null }) !== returned.amounts)
    throw amountsChanged()
}

const hashOf = ({ refusal, ...quotes }: Quotes & Pick<WirePreview, 'refusal'>): string =>
  versionOf([refusal?.code ?? null, ...amountsOf(quotes)])
