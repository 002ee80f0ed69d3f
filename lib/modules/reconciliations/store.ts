import type { Sql } from '../../platform/db/db.ts'
import type { Difference } from './rules/compare.ts'

/** Amounts are decimals with four decimal places. */
export interface KeptSettlement {
  readonly ref: string
  readonly reference: string | null
  readonly status: 'pending' | 'paid' | 'failed'
  readonly settledAt: string | null
  readonly currency: string
  readonly amount: string
  readonly revenue: string
  readonly costs: string
  readonly payments: number
  readonly refunds: number
  readonly chargebacks: number
}

export interface Reconciliation {
  readonly provider: string
  readonly day: string
  readonly payments: number
  readonly refunds: number
  readonly chargebacks: number
  /** `settlements` is null if the provider does not report settlements. */
  readonly settlements: readonly KeptSettlement[] | null
  readonly differences: readonly Difference[]
  readonly finishedAt: Date
}

/**
 * Reserves the comparison of the day of `now` for this process. Returns false if the comparison is complete, or if a
 * process reserved it within the last hour.
 */
export async function claim(sql: Sql, provider: string, now: Date): Promise<boolean> {
  const claimed = await sql.$executeRaw`
    INSERT INTO reconciliations AS kept (provider, day, claimed_at) VALUES (${provider}, ${now}::date, ${now})
    ON CONFLICT (provider, day) DO UPDATE SET claimed_at = EXCLUDED.claimed_at
    WHERE kept.finished_at IS NULL AND kept.claimed_at < EXCLUDED.claimed_at - interval '1 hour'`
  return claimed === 1
}

export async function save(sql: Sql, done: Omit<Reconciliation, 'day'>): Promise<void> {
  const { provider, payments, refunds, chargebacks, settlements, differences, finishedAt } = done
  await sql.$executeRaw`
    INSERT INTO reconciliations (provider, day, claimed_at, finished_at, payments, refunds, chargebacks, settlements, differences)
    VALUES (${provider}, ${finishedAt}::date, ${finishedAt}, ${finishedAt}, ${payments}, ${refunds}, ${chargebacks},
      ${settlements && JSON.stringify(settlements)}::jsonb, ${JSON.stringify(differences)}::jsonb)
    ON CONFLICT (provider, day) DO UPDATE SET finished_at = EXCLUDED.finished_at, payments = EXCLUDED.payments,
      refunds = EXCLUDED.refunds, chargebacks = EXCLUDED.chargebacks, settlements = EXCLUDED.settlements, differences = EXCLUDED.differences`
}

export async function newest(sql: Sql): Promise<Reconciliation[]> {
  const rows = await sql.reconciliations.findMany({
    where: { finished_at: { not: null } },
    orderBy: [{ provider: 'asc' }, { day: 'desc' }],
    distinct: ['provider'],
  })
  return rows.map(({ provider, day, payments, refunds, chargebacks, settlements, differences, finished_at }) => ({
    provider,
    day: day.toISOString().slice(0, 10),
    payments: payments ?? 0,
    refunds: refunds ?? 0,
    chargebacks: chargebacks ?? 0,
    settlements: settlements as unknown as KeptSettlement[] | null,
    differences: (differences ?? []) as unknown as Difference[],
    finishedAt: finished_at ?? day,
  }))
}
