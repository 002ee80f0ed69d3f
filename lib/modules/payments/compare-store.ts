import type { Currency, Money } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { PaymentStatus } from './rules/state.ts'

export interface ComparedPayment {
  readonly id: string
  readonly ref: string | null
  readonly amount: Money
  readonly status: PaymentStatus
  readonly isReturned: boolean
  readonly finishedAt: Date | null
}

/**
 * Finds payments by id and not by provider name, because two provider names can mean the same account at the provider
 * (decision 23).
 */
export async function paymentsToCompare(sql: Sql, ids: readonly string[]): Promise<ComparedPayment[]> {
  return (await sql.payments.findMany({ where: { id: { in: [...ids] } } })).map(toCompared)
}

export async function paidToCompare(
  sql: Sql,
  provider: string,
  { since, until, after }: { since: Date; until: Date; after: string },
): Promise<ComparedPayment[]> {
  const where = {
    provider,
    status: 'paid' as const,
    created_at: { gte: since },
    finished_at: { lte: until },
    amount: { gt: 0 },
  }
  const page = { orderBy: { id: 'asc' }, take: 1000 } as const
  return (await sql.payments.findMany({ where: { ...where, id: { gt: after } }, ...page })).map(toCompared)
}

export async function storefrontsOfRefs(sql: Sql, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { provider_ref: { in: [...refs] } }
  const rows = await sql.payments.findMany({ where, select: { provider_ref: true, storefront_id: true } })
  return new Map(rows.map(({ provider_ref, storefront_id }) => [provider_ref ?? '', storefront_id]))
}

export async function returnsToCompare(sql: Sql, refs: readonly string[]) {
  const rows = await sql.payments.findMany({ where: { return_ref: { in: [...refs] } } })
  return rows.map(({ id, return_ref, amount, currency }) => ({
    id,
    ref: return_ref ?? '',
    amount: { minor: amount, currency: currency as Currency },
  }))
}

const toCompared = (row: Awaited<ReturnType<Sql['payments']['findUniqueOrThrow']>>): ComparedPayment => ({
  id: row.id,
  ref: row.provider_ref,
  status: row.status,
  finishedAt: row.finished_at,
  amount: { minor: row.amount, currency: row.currency },
  isReturned: row.returned_at !== null,
})
