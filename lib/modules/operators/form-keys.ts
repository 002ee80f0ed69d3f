import type { Sql } from '../../platform/db/db.ts'

/** Forms of the service's staff that make what no storefront has yet, so that no idempotency key of one serves. */

interface Making {
  readonly personId: string
  /** Of one showing of the form. */
  readonly formKey: string
  /** The id of what it makes. */
  readonly subject: string
}

/**
 * Claims one showing of a form, in the transaction of what it makes. Returns null if it is the first, else the id of what
 * was made: a second call waits for the transaction of the first.
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

/** A form is sent again within minutes, if ever. */
export async function deleteOldStaffForms(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM staff_form_keys WHERE created_at < clock_timestamp() - interval '30 days'`
}
