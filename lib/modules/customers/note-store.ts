import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type CustomerNote, mostNotes } from './rules/note.ts'

export async function notesOf(sql: Sql, tenant: Tenant, customerId: string): Promise<CustomerNote[]> {
  const rows = await sql.customer_notes.findMany({
    where: { customer_id: customerId, ...ownedBy(tenant) },
    orderBy: { id: 'desc' },
    take: mostNotes,
  })
  return rows.map(({ id, text, author_id, author_email, created_at }) => ({
    id,
    text,
    author: { id: author_id, email: author_email },
    createdAt: created_at,
  }))
}

export const countNotes = (sql: Sql, customerId: string): Promise<number> =>
  sql.customer_notes.count({ where: { customer_id: customerId } })

export async function insertNote(sql: Sql, tenant: Tenant, customerId: string, note: CustomerNote): Promise<void> {
  const { id, text, author, createdAt } = note
  const by = { author_id: author.id, author_email: author.email }
  await sql.customer_notes.create({
    data: { id, ...ownedBy(tenant), customer_id: customerId, text, ...by, created_at: createdAt },
    select: { id: true },
  })
}

/** If `by` is set, deletes only a note of this author. Returns whether a note was deleted. */
export async function removeNote(
  sql: Sql,
  tenant: Tenant,
  { customerId, id, by }: { customerId: string; id: string; by: string | null },
): Promise<boolean> {
  const where = { id, customer_id: customerId, ...ownedBy(tenant), ...(by !== null && { author_id: by }) }
  return (await sql.customer_notes.deleteMany({ where })).count > 0
}
