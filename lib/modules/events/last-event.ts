import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

export async function lastEventAt(sql: Sql, tenant: Tenant, entityId: string): Promise<Date | null> {
  const last = await sql.events.findFirst({
    where: { entity_id: entityId, ...ownedBy(tenant) },
    orderBy: { id: 'desc' },
    select: { created_at: true },
  })
  return last?.created_at ?? null
}
