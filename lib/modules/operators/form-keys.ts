import type { Sql } from '../../platform/db/db.ts'

/** Forms of staff have no storefront, so the idempotency keys of storefronts cannot detect a repeated submission. */

interface Making {
  readonly personId: string
  /** Unique for each rendering of the form. */
  readonly formKey: string
  /** The id of the created row, or the URL of the next page. */
  readonly subject: string
}

/** Returns null for the first submission. A later submission waits for the first, and returns the `subject` of the first. */
export async function claimStaffForm(sql: Sql, { personId, formKey, subject }: Making): Promise<string | null> {
  const key = `${personId} ${formKey}`
  const claimed = await sql.$executeRaw`
    INSERT INTO staff_form_keys (key, subject, created_at) VALUES (${key}, ${subject}, clock_timestamp())
    ON CONFLICT (key) DO NOTHING`
  if (claimed === 1) return null
  return (await sql.staff_form_keys.findUniqueOrThrow({ where: { key } })).subject
}

export async function madeByStaffForm(
  sql: Sql,
  { personId, formKey }: Pick<Making, 'personId' | 'formKey'>,
): Promise<string | null> {
  const row = await sql.staff_form_keys.findUnique({ where: { key: `${personId} ${formKey}` } })
  return row?.subject ?? null
}

/** Old keys are not needed, because browsers resend a form within minutes. */
export async function deleteOldStaffForms(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM staff_form_keys WHERE created_at < clock_timestamp() - interval '30 days'`
}
