import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { inSteps } from '../../platform/db/in-steps.ts'

/** A change of a subscription. `request` is a hash of the requested change, without its `asOf`. */
export interface RequestedChange {
  readonly subscriptionId: string
  readonly request: string
}

/** A preview that the API has returned. */
export interface ReturnedPreview {
  /**
   * The `asOf` of the response. For one requested change, each `asOf` has exactly one hash of amounts, so the `asOf`
   * identifies the amounts.
   */
  readonly asOf: Date
  readonly computedFor: Date
  /** A hash of the amounts. */
  readonly amounts: string
}

export async function findPreview(
  sql: Sql,
  { subscriptionId, request }: RequestedChange,
  asOf: Date,
): Promise<ReturnedPreview | null> {
  const row = await sql.change_previews.findFirst({ where: { subscription_id: subscriptionId, request, as_of: asOf } })
  return row && toPreview(row)
}

/** Returns the preview with the latest `asOf`, or null if this `asOf` is before `since`. */
export async function latestPreview(
  sql: Sql,
  { subscriptionId, request }: RequestedChange,
  since: Date,
): Promise<ReturnedPreview | null> {
  const where = { subscription_id: subscriptionId, request, as_of: { gte: since } }
  const row = await sql.change_previews.findFirst({ where, orderBy: { as_of: 'desc' } })
  return row && toPreview(row)
}

/** The number of previews that are stored per subscription. Without this bound, a key with the scope `read_only` could fill the table. */
export const mostPreviews = 200

/**
 * Stores a preview. Returns false if the change already has a preview with this `asOf`. Deletes the oldest previews of
 * the subscription beyond `mostPreviews`. While the storefront is on hold, throws an error that counts as an
 * unavailable database.
 */
export async function insertPreview(
  sql: Sql,
  { storefrontId, testmode }: Tenant,
  { subscriptionId, request }: RequestedChange,
  { asOf, computedFor, amounts }: ReturnedPreview,
): Promise<boolean> {
  // The DELETE keeps `mostPreviews - 1` old rows, because it does not see the row that the INSERT adds.
  const [row] = await sql.$queryRaw<{ inserted: boolean }[]>`
    WITH inserted AS (
      INSERT INTO change_previews (subscription_id, storefront_id, testmode, request, as_of, computed_for, amounts, created_at)
      SELECT ${subscriptionId}, ${storefrontId}, ${testmode}::boolean, ${request}, ${asOf}::timestamptz, ${computedFor}::timestamptz, ${amounts},
        ${realNow()}::timestamptz
      FROM hold_storefront(${storefrontId})
      ON CONFLICT DO NOTHING RETURNING 1),
    deleted AS (
      DELETE FROM change_previews WHERE EXISTS (SELECT FROM inserted) AND ctid = ANY(ARRAY(
        SELECT ctid FROM change_previews WHERE subscription_id = ${subscriptionId}
        ORDER BY created_at DESC, as_of DESC OFFSET ${mostPreviews - 1}::int)))
    SELECT EXISTS (SELECT FROM inserted) AS inserted`
  return row?.inserted === true
}

/**
 * Deletes previews after two hours of real time. A PATCH accepts an `asOf` for one hour on the storefront's clock,
 * which stops during a clock advance, so this hour can take longer.
 */
export const deleteOldPreviews = (): Promise<number> =>
  inSteps(
    (limit) => db().$executeRaw`
      DELETE FROM change_previews WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM change_previews WHERE created_at < (SELECT clock_timestamp()) - interval '2 hours'
        ORDER BY created_at LIMIT ${limit}::int))`,
  )

type Row = Awaited<ReturnType<Sql['change_previews']['findFirstOrThrow']>>

const toPreview = ({ as_of, computed_for, amounts }: Row): ReturnedPreview => ({
  asOf: as_of,
  computedFor: computed_for,
  amounts,
})
