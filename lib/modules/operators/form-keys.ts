import type { Sql } from '../../platform/db/db.ts'

/** Records staff forms that belong to no storefront, because they have no idempotency key of a storefront. */

interface Making {
  readonly personId: string
  /** Unique per display of the form. */
  readonly formKey: string
  /** The id of the created row, or the URL of the next page. */
  readonly subject: string
}

/**
 * Claims one display of a form, in the transaction that creates the row. Returns null for the first call. A later call waits
 * for the transaction of the first call and returns the id of the created row.
 */
export async function claimStaffForm(sql: Sql, { personId, formKey, subject }: Making): Promise<string | null> {
  const key = `${personId} ${formKey}`
  const claimed = await sql.$executeRaw`
    INSERT INTO staff_form_keys (key, subject, created_at) VALUES (${key}, ${subject}, clock_timestamp())
    ON CONFLICT (key) DO NOTHING`
  if (claimed === 1) return null
  return (await sql.staff_form_keys.findUniqueOrThrow({ where: { key } })).subject
}

/** The id of the row that a displayed form has made; null before the form has made a row. */
export async function madeByStaffForm(
  sql: Sql,
  { personId, formKey }: Pick<Making, 'personId' | 'formKey'>,
): Promise<string | null> {
  const row = await sql.staff_form_keys.findUnique({ where: { key: `${personId} ${formKey}` } })
  return row?.subject ?? null
}

/** Browsers resend a form within minutes, so 30 days is ample. */
export async function deleteOldStaffForms(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM staff_form_keys WHERE created_at < clock_timestamp() - interval '30 days'`
}
