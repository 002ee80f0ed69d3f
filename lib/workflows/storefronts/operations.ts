import { invalid } from '../../kernel/refusal.ts'
import { checkedName } from '../../modules/accounts/rules/name.ts'
import { findMerchantName, insertMerchant, insertStorefront } from '../../modules/accounts/store.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { transact } from '../../modules/events/transact.ts'
import { claimStaffForm } from '../../modules/operators/form-keys.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inviteIn } from '../members/invite.ts'

/** What a form of the service's staff makes. */
interface Opened {
  /** Of one showing of the form. */
  readonly formKey: string
  readonly name: string
  /** A merchant that there is, or the name of a new one. */
  readonly merchant: { readonly id: string } | { readonly name: string }
  /** Who is invited as an owner; empty: nobody. */
  readonly ownerEmail: string
}

/**
 * Makes a storefront, its merchant where that is new, and the invitation of an owner, together. It has no key yet: its
 * owner issues one. A repetition of the form makes nothing, and returns the same. Refuses `validation_failed` on `name`,
 * `merchantName`, `merchant` and `email`.
 */
export async function openStorefront(
  by: Actor,
  { formKey, name, merchant, ownerEmail }: Opened,
): Promise<{ storefrontId: string }> {
  const now = realNow()
  const storefrontId = newId('storefront_', now)
  const checked = {
    name: checkedName(name),
    merchant: 'name' in merchant ? { name: checkedName(merchant.name, 'merchantName') } : merchant,
  }
  return transact({ storefrontId, testmode: false }, async (tx) => {
    const { sql } = tx
    const made = await claimStaffForm(sql, { personId: by.id, formKey, subject: storefrontId })
    if (made !== null) return { storefrontId: made }
    const owner = await merchantOf(sql, checked.merchant, now)
    await insertStorefront(sql, { id: storefrontId, merchantId: owner.id, name: checked.name, createdAt: now })
    const invited =
      ownerEmail === ''
        ? null
        : await inviteIn(tx, {
            ...{ merchant: owner, email: ownerEmail, role: 'owner' },
            // The service's staff are known by the seller's name.
            by: { id: by.id, name: config().seller.name },
          })
    await writeAudit(sql, by, {
      ...{ action: 'storefront.create', subject: storefrontId, before: null },
      after: { merchantId: owner.id, invitationId: invited?.invitationId ?? null },
    })
    return { storefrontId }
  })
}

async function merchantOf(sql: Sql, asked: Opened['merchant'], now: Date): Promise<{ id: string; name: string }> {
  if ('id' in asked) {
    const name = await findMerchantName(sql, asked.id)
    if (name === null) throw invalid('merchant', 'There is no merchant with this id.')
    return { id: asked.id, name }
  }
  const made = { id: newId('merchant_', now), name: asked.name, createdAt: now }
  await insertMerchant(sql, made)
  return made
}
