import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
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

/** Masked bank details: never the whole IBAN. */
export interface ShownAccount {
  readonly accountId: string
  readonly holder: string
  readonly iban: string
  readonly bic: string | null
  readonly validFrom: string
}

/** The account of a storefront now, and the account after the cooling time. */
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

/** The bank details of a storefront, masked. Refuses `validation_failed` on an unknown storefront. */
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
 * Changes a storefront's bank account after `PAYOUT_COOLING_DAYS`. Until then payouts go to the former account, or wait. Emails the
 * owners and stops a pending change. Repeating the current or pending details changes nothing. Refuses `validation_failed` on wrong
 * details and on an unknown storefront.
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

/** Stops a change of bank details whose cooling time still runs. Refuses `validation_failed` without such a change. */
export async function stopAccountChange(context: RequestContext): Promise<ShownAccount> {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireStorefront(db(), tenant.storefrontId)
  return transact(context, async (tx) => {
    await lockAccounts(tx.sql, tenant)
    const { pending } = accountsAt(await newestAccounts(tx.sql, tenant), tx.now)
    if (!pending) throw invalid('storefront', 'No change of the bank details is on its way.')
    await stopAccount(tx.sql, pending.id, tx.now)
    return shown(pending)
  })
}

/** The audit log entry of bank details: the id, without a number or a name. */
export const auditedAccount = ({ accountId, validFrom }: ShownAccount) => ({ accountId, validFrom })

const typedAt = (tenant: Tenant, action: string) =>
  audited<ShownAccount>(tenant, commandLine(), { action, subject: tenant.storefrontId, after: auditedAccount })

/** `changeAccount` at the command line. */
export const changeAccountTyped = (tenant: Tenant, typed: TypedDetails) =>
  changeAccount(typedAt(tenant, 'payout_account.change'), typed)

/** `stopAccountChange` at the command line. */
export const stopAccountChangeTyped = (tenant: Tenant) => stopAccountChange(typedAt(tenant, 'payout_account.stop'))
