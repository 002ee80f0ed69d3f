import { storefrontNames } from '../modules/accounts/store.ts'
import type { ProviderAccountsPage } from '../modules/provider-accounts/page.ts'
import { db } from '../platform/db/db.ts'
import { listAccounts } from '../workflows/provider-accounts/operations.ts'
import { staffOn } from './access.ts'

/**
 * The accounts of storefronts at payment providers, without API keys. Only the command line changes accounts
 * (`docs/decisions/0023`). Null for everyone except staff.
 */
export async function providerAccountsPage(cookies: string | null): Promise<ProviderAccountsPage | null> {
  if (!(await staffOn('provider-accounts', cookies))) return null
  const accounts = await listAccounts()
  const names = await storefrontNames(
    db(),
    accounts.map(({ storefrontId }) => storefrontId),
  )
  return {
    accounts: accounts.map(({ accountId, storefrontId, provider, createdAt, endedAt, notices }) => ({
      id: accountId,
      storefront: names.get(storefrontId) ?? '',
      storefrontUrl: `/admin/live/${storefrontId}`,
      provider,
      createdAt,
      endedAt,
      notices,
    })),
  }
}
