import { db } from './db.ts'

/** Deletes what has outlived its promise: idempotent answers after 24 hours, attempts of deliveries after 90 days. */
export async function housekeeping(): Promise<void> {
  await db().$executeRaw`DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - interval '24 hours'`
  await db().$executeRaw`DELETE FROM delivery_attempts WHERE started_at < clock_timestamp() - interval '90 days'`
}
