import { Prisma } from '../../../prisma/client/client.ts'
import { db } from '../db/db.ts'
import { answersKeptHours, attemptsKeptDays } from '../retention.ts'

/**
 * Deletes expired data: idempotent answers after 24 hours, delivery attempts after 90 days, and what buyers typed into
 * a form once its link has expired on the storefront's clock.
 */
export async function housekeeping(): Promise<void> {
  await db().$executeRaw`
    DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - ${answersKeptHours}::int * interval '1 hour'`
  await db().$executeRaw`
    DELETE FROM delivery_attempts WHERE started_at < clock_timestamp() - ${attemptsKeptDays}::int * interval '1 day'`
  for (const links of [Prisma.sql`billing_update_links`, Prisma.sql`invoice_update_links`])
    await db().$executeRaw`
      UPDATE ${links} AS link SET draft = NULL FROM clocks WHERE clocks.storefront_id = link.storefront_id AND draft IS NOT NULL
      AND expires_at < clock_timestamp() + CASE WHEN testmode THEN ahead_seconds ELSE 0 END * interval '1 second'`
}
