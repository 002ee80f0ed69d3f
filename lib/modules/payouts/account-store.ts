import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AccountDetails, PayoutAccount, StoredAccount } from './rules/account.ts'

export const sealedAt = (id: string) => `payout_accounts|${id}|sealed`

/** Locks the bank details of one storefront and mode until the commit, so that parallel changes run one after another. */
export async function lockAccounts(sql: Sql, { storefrontId, testmode }: Tenant): Promise<void> {
  const key = `payout_accounts ${storefrontId} ${testmode}`
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))::text`
}

/**
 * Returns the two newest sets of bank details, newest first, without stopped changes. The current and the pending bank
 * details are among them.
 */
export async function newestAccounts(sql: Sql, tenant: Tenant): Promise<StoredAccount[]> {
  const where = { ...ownedBy(tenant), stopped_at: null }
  return (await sql.payout_accounts.findMany({ where, orderBy: { id: 'desc' }, take: 2 })).map(accountOf)
}

export async function insertAccount(sql: Sql, tenant: Tenant, account: PayoutAccount): Promise<void> {
  const { id, details, createdAt, validFrom } = account
  await sql.payout_accounts.create({
    data: {
      id,
      ...ownedBy(tenant),
      created_at: createdAt,
      valid_from: validFrom,
      sealed: seal(JSON.stringify(details), sealedAt(id)),
    },
    select: { id: true },
  })
}

export async function putOffAccount(sql: Sql, id: string, validFrom: Date): Promise<void> {
  await sql.payout_accounts.update({ where: { id }, data: { valid_from: validFrom }, select: { id: true } })
}

export async function stopAccount(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.payout_accounts.update({ where: { id }, data: { stopped_at: at }, select: { id: true } })
}

type Row = Awaited<ReturnType<Sql['payout_accounts']['findUniqueOrThrow']>>

export const accountOf = (row: Row): StoredAccount => ({
  id: row.id,
  details: JSON.parse(unsealIfOpenable(row.sealed, sealedAt(row.id)) ?? 'null') as AccountDetails | null,
  createdAt: row.created_at,
  validFrom: row.valid_from,
  stoppedAt: row.stopped_at,
})
