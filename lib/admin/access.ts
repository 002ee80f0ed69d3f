import { findStorefront, type Storefront } from '../modules/accounts/store.ts'
import type { Actor } from '../modules/audit/rules/entry.ts'
import { personOf } from '../modules/operators/hosted.ts'
import { may, type Permission, type Role } from '../modules/operators/rules/access.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'

/** Where a page of the admin area is: the mode and the storefront in its path. */
export interface Place {
  readonly mode: string
  readonly storefrontId: string
}

/** A person who may see one storefront in one mode. */
export interface Access {
  readonly actor: Actor
  /** Null is the service's own staff. */
  readonly role: Role | null
  /** The cookies of the browser. A code of the second factor confirms the session that they name. */
  readonly cookies: string | null
  readonly tenant: Tenant
  readonly storefront: Storefront
  readonly mode: 'test' | 'live'
  /** The beginning of the path of its pages. */
  readonly path: string
  may(permission: Permission): boolean
}

/**
 * Null for anybody but operators and the merchant's own members with this permission, for an unknown storefront, and for
 * a mode that does not exist.
 */
export async function accessTo(
  { mode, storefrontId }: Place,
  permission: Permission,
  cookies: string | null,
): Promise<Access | null> {
  const person = await personOf(cookies)
  if (!person || (mode !== 'test' && mode !== 'live')) return null
  const storefront = await findStorefront(db(), storefrontId)
  const { membership } = person
  const isTheirs = membership === null || membership.merchantId === storefront?.merchant.id
  const role = membership?.role ?? null
  if (!storefront || !isTheirs || !may(role, permission)) return null
  const tenant = { storefrontId: storefront.id, testmode: mode === 'test' }
  const path = `/admin/${mode}/${storefront.id}`
  return { actor: person.actor, role, cookies, tenant, storefront, mode, path, may: (asked) => may(role, asked) }
}
