import type { Locale } from '../../kernel/locale.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { isBlank, isStorableText } from '../../kernel/text.ts'
import { checkedName } from '../../modules/accounts/rules/name.ts'
import * as store from '../../modules/accounts/store.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { findProducts } from '../../modules/catalog/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { claimStaffForm, madeByStaffForm } from '../../modules/operators/form-keys.ts'
import { logInEmail } from '../../modules/operators/rules/invitation.ts'
import type { PortalChanges } from '../../modules/portal/rules/portal-change.ts'
import { now as clockNow, realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { inviteIn } from '../members/invite.ts'

interface Opened {
  readonly formKey: string
  readonly name: string
  readonly merchant: { readonly id: string } | { readonly name: string }
  /** The email address of the invited owner; empty if nobody is invited. */
  readonly ownerEmail: string
  readonly ownerLocale: Locale
}

/**
 * Creates a storefront, its merchant if the merchant is new, and the owner's invitation. The owner creates the API keys of the storefront. A repeated form
 * creates nothing, needs no confirmation, and returns the same result. `confirm` refuses a person without a second-factor code. Refuses with
 * `validation_failed` on `name`, `merchantName`, `merchant`, or `email`.
 */
export async function openStorefront(
  by: Actor,
  confirm: () => Promise<void>,
  { formKey, name, merchant, ownerEmail, ownerLocale }: Opened,
): Promise<{ storefrontId: string }> {
  const now = realNow()
  const storefrontId = newId('storefront_', now)
  const checked = {
    name: checkedName(name),
    merchant: 'name' in merchant ? { name: checkedName(merchant.name, 'merchantName') } : merchant,
  }
  if (ownerEmail !== '') logInEmail(ownerEmail)
  const before = await madeByStaffForm(db(), { personId: by.id, formKey })
  if (before !== null) return { storefrontId: before }
  await confirm()
  return transact({ storefrontId, testmode: false }, async (tx) => {
    const { sql } = tx
    const made = await claimStaffForm(sql, { personId: by.id, formKey, subject: storefrontId })
    if (made !== null) return { storefrontId: made }
    const owner = await merchantOf(sql, checked.merchant, now)
    await store.insertStorefront(sql, { id: storefrontId, merchantId: owner.id, name: checked.name, createdAt: now })
    const invited =
      ownerEmail === ''
        ? null
        : await inviteIn(tx, {
            merchant: owner,
            email: ownerEmail,
            role: 'owner',
            action: 'storefront.create',
            locale: ownerLocale,
            // Staff are shown to merchants under the name of the seller, not under their own names.
            by: { id: by.id, name: config().seller.name },
          })
    await writeAudit(sql, by, {
      action: 'storefront.create',
      subject: storefrontId,
      before: null,
      after: { merchantId: owner.id, invitationId: invited?.invitationId ?? null },
    })
    return { storefrontId }
  })
}

async function merchantOf(sql: Sql, asked: Opened['merchant'], now: Date): Promise<{ id: string; name: string }> {
  if ('id' in asked) {
    const name = await store.findMerchantName(sql, asked.id)
    if (name === null) throw invalid('merchant', 'There is no merchant with this id.')
    return { id: asked.id, name }
  }
  const made = { id: newId('merchant_', now), name: asked.name, createdAt: now }
  await store.insertMerchant(sql, made)
  return made
}

const longestReason = 500

/**
 * Suspends a storefront. Payments in progress continue. Refuses with `validation_failed` if the reason is empty, too
 * long, or cannot be stored. Refuses with `not_found`, or with `illegal_move` if the storefront is already suspended.
 */
export function suspend(call: RequestContext, typed: string): Promise<{ storefrontId: string }> {
  const reason = typed.trim()
  if (isBlank(reason) || reason.length > longestReason || !isStorableText(reason))
    throw invalid('reason', ruleProblem('characters', { least: 1, most: longestReason }))
  return transact(call, async ({ sql, storefrontId }) => {
    const storefront = await store.lockStorefront(sql, storefrontId)
    if (!storefront) throw new Refusal('not_found')
    if (storefront.suspension) throw new Refusal('illegal_move')
    await store.suspendStorefront(sql, storefrontId, { since: realNow(), reason })
    return { storefrontId }
  })
}

/** Sets, for both modes, whether disputes end subscriptions. Earlier disputes and their effects stay unchanged. Refuses with `not_found`. */
export const setDisputesEndSubscriptions = (
  call: RequestContext,
  isOn: boolean,
): Promise<{ storefrontId: string; disputesEndSubscriptions: boolean }> =>
  transact(call, async ({ sql, storefrontId }) => {
    if (!(await store.lockStorefront(sql, storefrontId))) throw new Refusal('not_found')
    await store.setDisputesEndSubscriptions(sql, storefrontId, isOn)
    return { storefrontId, disputesEndSubscriptions: isOn }
  })

export const disputesSetting = (storefrontId: string, isOn: boolean) => ({
  action: disputeActions[isOn ? 'on' : 'off'],
  subject: storefrontId,
})
const disputeActions = { on: 'disputes.end_subscriptions', off: 'disputes.leave_subscriptions' } as const

/** The command line uses this function. Refuses with `validation_failed` if the storefront does not exist. */
export async function setDisputesTyped(storefrontId: string, isOn: boolean) {
  await store.requireStorefront(db(), storefrontId)
  const context = audited({ storefrontId, testmode: false }, commandLine(), disputesSetting(storefrontId, isOn))
  return setDisputesEndSubscriptions(context, isOn)
}

interface PortalChangesAsked {
  readonly quantity?: boolean | undefined
  /** The plans between which customers may switch in the given modes. The list of a mode that is not given stays unchanged. */
  readonly planIds?: readonly string[] | undefined
}

/** Refuses with `not_found`, or with `validation_failed` on `planIds` if a plan does not exist in these modes. */
export const setPortalChanges = (
  call: RequestContext,
  { quantity, planIds }: PortalChangesAsked,
  testmodes: readonly boolean[],
): Promise<PortalChanges & { storefrontId: string }> =>
  transact(call, async ({ sql, storefrontId }) => {
    if (!(await store.lockStorefront(sql, storefrontId))) throw new Refusal('not_found')
    const before = await store.portalChangesOf(sql, storefrontId)
    const next = {
      quantity: quantity ?? before.quantity,
      planIds: planIds
        ? await withPlans(sql, storefrontId, { before: before.planIds, planIds, testmodes })
        : before.planIds,
    }
    await store.savePortalChanges(sql, storefrontId, next)
    return { storefrontId, ...next }
  })

async function withPlans(
  sql: Sql,
  storefrontId: string,
  {
    before,
    planIds,
    testmodes,
  }: { before: readonly string[]; planIds: readonly string[]; testmodes: readonly boolean[] },
): Promise<readonly string[]> {
  const ids = [...new Set([...before, ...planIds])]
  const found = await Promise.all(testmodes.map((testmode) => findProducts(sql, { storefrontId, testmode }, ids)))
  const isPlan = (id: string) => found.some((products) => products.get(id)?.kind === 'subscription_plan')
  const unknown = planIds.find((id) => !isPlan(id))
  if (unknown !== undefined) throw invalid('planIds', `There is no plan ${unknown} in this storefront and mode.`)
  return [...before.filter((id) => !isPlan(id)), ...new Set(planIds)]
}

export const portalSetting = (storefrontId: string) => ({
  action: 'portal.set_changes' as const,
  subject: storefrontId,
  after: ({ quantity, planIds }: PortalChanges) => ({ quantity, planIds }),
})

/** The command line uses this function for both modes. Refuses with `validation_failed` if the storefront does not exist. */
export async function setPortalChangesTyped(storefrontId: string, asked: PortalChangesAsked) {
  await store.requireStorefront(db(), storefrontId)
  const context = audited({ storefrontId, testmode: false }, commandLine(), portalSetting(storefrontId))
  return setPortalChanges(context, asked, [true, false])
}

/** Refuses with `not_found`, or with `illegal_move` if the storefront is not suspended. */
export const resume = (call: RequestContext): Promise<{ storefrontId: string }> =>
  transact(call, async ({ sql, storefrontId }) => {
    const storefront = await store.lockStorefront(sql, storefrontId)
    if (!storefront) throw new Refusal('not_found')
    if (!storefront.suspension) throw new Refusal('illegal_move')
    const testAt = await clockNow(sql, { storefrontId, testmode: true })
    await store.resumeStorefront(sql, storefrontId, { at: realNow(), testAt })
    return { storefrontId }
  })
