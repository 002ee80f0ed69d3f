import type { Tenant } from '../../platform/clock/clock.ts'
import type { Credentials, LiveProviderName } from '../../platform/config-providers.ts'
import { seal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface ProviderAccount {
  readonly id: string
  readonly storefrontId: string
  readonly provider: LiveProviderName
  readonly createdAt: Date
  /**
   * `endedAt` is the time at which the account ended; null for an account that has not ended. An ended account receives
   * no new payments, but serves its earlier payments.
   */
  readonly endedAt: Date | null
}

export const sealedAt = (id: string) => `provider_accounts|${id}|sealed`

/** Locks the provider accounts of a storefront until the commit, so that parallel changes run one after another. */
export async function lockAccounts(sql: Sql, { storefrontId }: Pick<Tenant, 'storefrontId'>): Promise<void> {
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`provider_accounts ${storefrontId}`}, 0))::text`
}

/** Returns the account that receives the storefront's new payments; null if the installation's own account receives them. */
export async function currentAccount(
  sql: Sql,
  { storefrontId }: Pick<Tenant, 'storefrontId'>,
): Promise<ProviderAccount | null> {
  const row = await sql.provider_accounts.findFirst({ where: { storefront_id: storefrontId, ended_at: null } })
  return row && accountOf(row)
}

export async function accountsOf(sql: Sql, storefrontId?: string): Promise<ProviderAccount[]> {
  const where = { ...(storefrontId !== undefined && { storefront_id: storefrontId }) }
  return (await sql.provider_accounts.findMany({ where, orderBy: { id: 'desc' } })).map(accountOf)
}

export async function findAccount(sql: Sql, id: string): Promise<ProviderAccount | null> {
  const row = await sql.provider_accounts.findUnique({ where: { id } })
  return row && accountOf(row)
}

/**
 * Returns the credentials of an account. Returns null for an unknown account, and `lost` if the key that encrypted the
 * credentials is not configured.
 */
export async function credentialsOf(
  sql: Sql,
  { id, provider }: Pick<ProviderAccount, 'id' | 'provider'>,
): Promise<Credentials | 'lost' | null> {
  const row = await sql.provider_accounts.findFirst({ where: { id, provider } })
  if (!row) return null
  const opened = unsealIfOpenable(row.sealed, sealedAt(row.id))
  return opened === null ? 'lost' : (JSON.parse(opened) as Credentials)
}

export async function insertAccount(sql: Sql, account: ProviderAccount, credentials: Credentials): Promise<void> {
  const { id, storefrontId, provider, createdAt, endedAt } = account
  await sql.provider_accounts.create({
    data: {
      id,
      storefront_id: storefrontId,
      provider,
      sealed: seal(JSON.stringify(credentials), sealedAt(id)),
      created_at: createdAt,
      ended_at: endedAt,
    },
    select: { id: true },
  })
}

export async function saveAccount(
  sql: Sql,
  { id, endedAt }: Pick<ProviderAccount, 'id' | 'endedAt'>,
  credentials: Credentials,
): Promise<void> {
  const data = { ended_at: endedAt, sealed: seal(JSON.stringify(credentials), sealedAt(id)) }
  await sql.provider_accounts.update({ where: { id }, data, select: { id: true } })
}

export async function endAccount(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.provider_accounts.update({ where: { id }, data: { ended_at: at }, select: { id: true } })
}

type Row = Awaited<ReturnType<Sql['provider_accounts']['findUniqueOrThrow']>>

const accountOf = (row: Row): ProviderAccount => ({
  id: row.id,
  storefrontId: row.storefront_id,
  provider: row.provider,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
