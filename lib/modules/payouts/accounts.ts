import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { maskedIban } from '../../kernel/sepa.ts'
import { type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireStorefront } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { transact } from '../events/transact.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import { insertAccount, lockAccounts, newestAccounts, stopAccount } from './account-store.ts'
import { accountsAt, checkedDetails, isSameAccount, type PayoutAccount } from './rules/account.ts'

export interface ShownAccount {
  readonly accountId: string
  readonly holder: string
  readonly iban: string
  readonly bic: string | null
  readonly validFrom: string
}

export interface ShownAccounts {
  readonly current: ShownAccount | null
  readonly pending: ShownAccount | null
}

const shown = ({ id, details: { holder, iban, bic }, validFrom }: PayoutAccount): ShownAccount => ({
  accountId: id,
  holder,
  iban: maskedIban(iban),
  bic,
  validFrom: toWire(validFrom),
})

export async function payoutAccounts(tenant: Tenant): Promise<ShownAccounts> {
  await requireStorefront(db(), tenant.storefrontId)
  const found = accountsAt(await newestAccounts(db(), tenant), await timeOf(db(), tenant))
  return { current: found.current && shown(found.current), pending: found.pending && shown(found.pending) }
}

interface TypedDetails {
  readonly holder: string
  readonly iban: string
  readonly bic?: string | undefined
}

/**
 * Changes the bank account for payouts. The new account takes effect after `PAYOUT_COOLING_DAYS`. Until then, payouts
 * go to the previous account, or wait if no account is in effect. The change replaces an earlier pending change, and
 * the owners get an email. Throws `validation_failed` for invalid details or an unknown storefront.
 */
export async function changeAccount(context: RequestContext, typed: TypedDetails): Promise<ShownAccount> {
  const details = checkedDetails(typed)
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireStorefront(db(), tenant.storefrontId)
  return transact(context, async (tx) => {
    await lockAccounts(tx.sql, tenant)
    const { current, pending } = accountsAt(await newestAccounts(tx.sql, tenant), tx.now)
    const last = pending ?? current
    if (last && isSameAccount(last.details, details)) return shown(last)
    if (pending) await stopAccount(tx.sql, pending.id, tx.now)
    const validFrom = new Date(tx.now.getTime() + config().payoutCoolingDays * 86_400_000)
    const account = { id: tx.newId('payout_account_'), details, createdAt: tx.now, validFrom, stoppedAt: null }
    await insertAccount(tx.sql, tenant, account)
    const facts = { account: maskedIban(details.iban), validFrom: validFrom.toISOString() }
    await notifyMembers(tx, { kind: 'payout_account_changed', ...facts }, '/balance/account')
    return shown(account)
  })
}

/**
 * Stops the pending change of the bank account. Throws `validation_failed` if no change is pending or the storefront is
 * unknown.
 */
export async function stopAccountChange(context: RequestContext): Promise<ShownAccount> {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireStorefront(db(), tenant.storefrontId)
  return transact(context, async (tx) => {
    await lockAccounts(tx.sql, tenant)
    const { pending } = accountsAt(await newestAccounts(tx.sql, tenant), tx.now)
    if (!pending) throw invalid('storefront', ruleProblem('account_not_pending'))
    await stopAccount(tx.sql, pending.id, tx.now)
    return shown(pending)
  })
}

/** The audit log has the id of the account, but no account number and no name. */
export const auditedAccount = ({ accountId, validFrom }: ShownAccount) => ({ accountId, validFrom })

const typedAt = (tenant: Tenant, action: string) =>
  audited<ShownAccount>(tenant, commandLine(), { action, subject: tenant.storefrontId, after: auditedAccount })

export const changeAccountTyped = (tenant: Tenant, typed: TypedDetails) =>
  changeAccount(typedAt(tenant, 'payout_account.change'), typed)

export const stopAccountChangeTyped = (tenant: Tenant) => stopAccountChange(typedAt(tenant, 'payout_account.stop'))
