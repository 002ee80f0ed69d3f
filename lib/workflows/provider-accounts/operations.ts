import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { requireStorefront } from '../../modules/accounts/store.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newestPaymentAt } from '../../modules/payments/store.ts'
import {
  checkedCredentials,
  requireStoredCredentials,
  type TypedCredentials,
} from '../../modules/provider-accounts/credentials.ts'
import { nameOf } from '../../modules/provider-accounts/names.ts'
import type { ProviderAccount } from '../../modules/provider-accounts/store.ts'
import * as store from '../../modules/provider-accounts/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Credentials, LiveProviderName } from '../../platform/config-providers.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { problemText } from '../../platform/short-error.ts'
import { knowsPayment, providerWith } from '../../providers/index.ts'

const shown = (account: ProviderAccount) => ({
  accountId: account.id,
  storefrontId: account.storefrontId,
  provider: account.provider,
  takesNewPayments: account.endedAt === null,
  createdAt: toWire(account.createdAt),
  endedAt: account.endedAt && toWire(account.endedAt),
  /** The merchant enters this URL at Stripe for events. Mollie gets the URL with each payment. */
  notices: `${config().publicBaseUrl}/api/providers/${nameOf(account)}`,
})
export type ShownProviderAccount = ReturnType<typeof shown>

const act = (storefrontId: string, action: string) =>
  audited<ShownProviderAccount>({ storefrontId, testmode: false }, commandLine(), {
    action: `provider_account.${action}`,
    subject: storefrontId,
    after: ({ accountId, provider }) => ({ accountId, provider }),
  })

/**
 * Sets the account for new live payments. `warn` gets a line if the account is the installation's own account.
 * Payments of an earlier account stay at that account. If the key belongs to an ended account, that account becomes
 * active again. If an account's stored key cannot be decrypted and the new key can read the account's payments, the
 * new key replaces the stored key. Refuses with `validation_failed` if the storefront is unknown, or if the
 * credentials are malformed or not for live mode. Also refuses with `validation_failed` if the provider refuses the
 * key, or if a stored credential of the account is missing.
 */
export async function setAccount(
  storefrontId: string,
  { provider, ...typed }: TypedCredentials & { provider: string },
  warn: (line: string) => void = () => undefined,
): Promise<ShownProviderAccount> {
  const credentials = checkedCredentials(provider, typed)
  await requireStorefront(db(), storefrontId)
  const of = { id: newId('provider_account_', realNow()), provider: provider as LiveProviderName }
  const tried = providerWith(of, credentials)
  await requireServed(tried)
  if (await isOfInstallation(tried, of.provider))
    warn(
      'The key belongs to the account of the installation. Comparisons of the books will find each difference twice.\n',
    )
  const unreadable = await unreadableWith(storefrontId, of.provider, credentials)
  return transact(act(storefrontId, 'set'), async (tx) => {
    const { sql, now } = tx
    await store.lockAccounts(sql, tx)
    const current = await store.currentAccount(sql, tx)
    // Since the account was read, another command may have replaced its key.
    const isUnreadable = unreadable !== null && (await store.credentialsOf(sql, unreadable)) === 'lost'
    const known = (await accountWith(tx, of.provider, credentials)) ?? (isUnreadable ? unreadable : null)
    if (known) await requireCredentialsOf(tx, known, typed)
    if (current && current.id !== known?.id) await store.endAccount(sql, current.id, now)
    const account: ProviderAccount = { ...of, storefrontId, createdAt: now, ...known, endedAt: null }
    if (known) await store.saveAccount(sql, account, credentials)
    else await store.insertAccount(sql, account, credentials)
    return shown(account)
  })
}

/**
 * Whether the account is the installation's own account, which is the account with the newest payment of the
 * installation.
 */
async function isOfInstallation(tried: PaymentProvider, name: LiveProviderName): Promise<boolean> {
  const known = await newestPaymentAt(db(), name)
  return known !== null && (await canRead(tried, known))
}

async function requireCredentialsOf(
  { sql }: Pick<Transaction, 'sql'>,
  account: ProviderAccount,
  typed: TypedCredentials,
): Promise<void> {
  const stored = await store.credentialsOf(sql, account)
  if (stored && stored !== 'lost') requireStoredCredentials(typed, stored)
}

async function accountWith({ sql, storefrontId }: Transaction, provider: LiveProviderName, { apiKey }: Credentials) {
  for (const each of await store.accountsOf(sql, storefrontId)) {
    const stored = each.provider === provider ? await store.credentialsOf(sql, each) : null
    if (stored && stored !== 'lost' && stored.apiKey === apiKey) return each
  }
  return null
}

/** The newest account whose stored key cannot be decrypted, and whose payments the new key can read. */
async function unreadableWith(
  storefrontId: string,
  provider: LiveProviderName,
  credentials: Credentials,
): Promise<ProviderAccount | null> {
  for (const each of await store.accountsOf(db(), storefrontId)) {
    if (each.provider !== provider || (await store.credentialsOf(db(), each)) !== 'lost') continue
    const known = await newestPaymentAt(db(), nameOf(each))
    if (known && (await canRead(providerWith(each, credentials), known))) return each
  }
  return null
}

/**
 * Replaces all credentials of the account. Refuses with `validation_failed` if the account is unknown, if the provider refuses the key, if the key does not
 * belong to this account, or if a stored credential is missing.
 */
export async function replaceKey(accountId: string, typed: TypedCredentials): Promise<ShownProviderAccount> {
  const account = await requireAccount(db(), accountId)
  const credentials = checkedCredentials(account.provider, typed)
  const provider = providerWith(account, credentials)
  await requireServed(provider)
  const known = await newestPaymentAt(db(), provider.name)
  if (known && !(await canRead(provider, known)))
    throw invalid('apiKey', 'Belongs to a different account, which does not know the payments of this account.')
  return transact(act(account.storefrontId, 'replace_key'), async (tx) => {
    await store.lockAccounts(tx.sql, tx)
    // Reads the account again, because the account can have ended in the meantime. A new key must not make an ended
    // account active again.
    const current = await requireAccount(tx.sql, accountId)
    await requireCredentialsOf(tx, current, typed)
    await store.saveAccount(tx.sql, current, credentials)
    return shown(current)
  })
}

async function requireAccount(sql: Sql, id: string): Promise<ProviderAccount> {
  const account = await store.findAccount(sql, id)
  if (!account) throw invalid('account', 'There is no account with this id.')
  return account
}

async function requireServed(provider: PaymentProvider): Promise<void> {
  try {
    for await (const _ of provider.recentChargebacks?.() ?? []) break
  } catch (error) {
    throw invalid('apiKey', `The provider does not accept the key: ${problemText(error).replace(/\.$/, '')}.`)
  }
}

type KnownPayment = NonNullable<Awaited<ReturnType<typeof newestPaymentAt>>>

const canRead = (provider: PaymentProvider, { tenant, ref }: KnownPayment): Promise<boolean> =>
  knowsPayment(() => provider.fetchPayment(tenant, ref))

/**
 * New payments use the installation's account, and existing payments stay at the ended account. Refuses with `validation_failed` if there is no account to
 * end.
 */
export async function endAccount(storefrontId: string): Promise<ShownProviderAccount> {
  await requireStorefront(db(), storefrontId)
  return transact(act(storefrontId, 'end'), async (tx) => {
    await store.lockAccounts(tx.sql, tx)
    const current = await store.currentAccount(tx.sql, tx)
    if (!current) throw invalid('storefront', 'The storefront has no separate account that takes payments.')
    await store.endAccount(tx.sql, current.id, tx.now)
    return shown({ ...current, endedAt: tx.now })
  })
}

export const listAccounts = async (storefrontId?: string): Promise<ShownProviderAccount[]> =>
  (await store.accountsOf(db(), storefrontId)).map(shown)
