import { findStorefront, type Storefront } from '../../modules/accounts/store.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { operatorOf } from '../../modules/operators/hosted.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/** Where a page of the admin area is: the mode and the storefront in its path. */
export interface Place {
  readonly mode: string
  readonly storefrontId: string
}

/** A person who may see one storefront in one mode. */
export interface Access {
  readonly actor: Actor
  readonly tenant: Tenant
  readonly storefront: Storefront
  readonly mode: 'test' | 'live'
  /** The beginning of the path of its pages. */
  readonly path: string
}

/** Null for anybody but an operator, for an unknown storefront, and for a mode that does not exist. */
export async function accessTo({ mode, storefrontId }: Place, cookies: string | null): Promise<Access | null> {
  const operator = await operatorOf(cookies)
  if (!operator || (mode !== 'test' && mode !== 'live')) return null
  const storefront = await findStorefront(db(), storefrontId)
  if (!storefront) return null
  const tenant = { storefrontId: storefront.id, testmode: mode === 'test' }
  return { actor: operator.actor, tenant, storefront, mode, path: `/admin/${mode}/${storefront.id}` }
}
