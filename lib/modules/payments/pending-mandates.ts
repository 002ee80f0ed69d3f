import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'

export async function activateMandate(sql: Sql, id: string): Promise<void> {
  await sql.mandates.update({ where: { id }, data: { status: 'valid' }, select: { id: true } })
}

export async function pendingMandate(sql: Sql, tenant: Tenant, id: string) {
  const row = await sql.mandates.findFirst({ where: { id, ...ownedBy(tenant), status: 'pending', revoked_at: null } })
  return row && { provider: row.provider, ref: row.provider_ref, createdAt: row.created_at }
}

export async function saveMandateDetails(
  sql: Sql,
  id: string,
  { maskedIdentifier, reference }: Pick<Mandate, 'maskedIdentifier' | 'reference'>,
): Promise<void> {
  await sql.mandates.update({
    where: { id },
    data: { masked_identifier: maskedIdentifier, reference },
    select: { id: true },
  })
}
