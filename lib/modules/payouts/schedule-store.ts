import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { PayoutSchedule } from './rules/schedule.ts'

export interface RunningSchedule extends PayoutSchedule {
  readonly nextAt: Date
}

const key = (tenant: Tenant) => ({ storefront_id_testmode: ownedBy(tenant) })

export async function findSchedule(sql: Sql, tenant: Tenant): Promise<RunningSchedule | null> {
  const row = await sql.payout_schedules.findUnique({ where: key(tenant) })
  return row && { every: row.every as PayoutSchedule['every'], day: row.day, nextAt: row.next_at }
}

export async function lockSchedule(sql: Sql, tenant: Tenant): Promise<RunningSchedule | null> {
  await sql.$queryRaw`SELECT 1 FROM payout_schedules
    WHERE ${ownedRows(tenant)} FOR UPDATE`
  return findSchedule(sql, tenant)
}

export async function saveSchedule(sql: Sql, tenant: Tenant, schedule: RunningSchedule | null): Promise<void> {
  const { storefrontId, testmode } = tenant
  if (!schedule) {
    await sql.payout_schedules.deleteMany({ where: ownedBy(tenant) })
    return
  }
  const { every, day, nextAt } = schedule
  await sql.$executeRaw`
    INSERT INTO payout_schedules (storefront_id, testmode, every, day, next_at)
    VALUES (${storefrontId}, ${testmode}, ${every}, ${day}, ${nextAt})
    ON CONFLICT (storefront_id, testmode) DO UPDATE SET every = EXCLUDED.every, day = EXCLUDED.day, next_at = EXCLUDED.next_at`
}
