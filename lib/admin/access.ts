import { findStorefront, type Storefront } from '../modules/accounts/store.ts'
import type { Actor } from '../modules/audit/rules/entry.ts'
import { personOf, type SignedInPerson, staffOf } from '../modules/operators/manage-sessions.ts'
import { may, type Permission, type Role } from '../modules/operators/rules/access.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import type { exports } from '../workflows/csv-lists/lists.ts'
import {
  neededForAction,
  neededForForm,
  neededForList,
  neededForPage,
  type PersonPage,
  type StaffPage,
  type StorefrontAction,
  type StorefrontForm,
  type StorefrontPage,
} from './permissions.ts'

/** The mode and the storefront in the path of a page. */
export interface StorefrontPath {
  readonly mode: string
  readonly storefrontId: string
}

type List = keyof typeof exports

/** A person with permission to see one storefront in one mode. */
export interface Access {
  readonly actor: Actor
  readonly email: string
  /** Null for the service's own staff. */
  readonly role: Role | null
  /** The cookies of the browser. A code of the second factor confirms the session that they name. */
  readonly cookies: string | null
  readonly tenant: Tenant
  readonly storefront: Storefront
  readonly mode: 'test' | 'live'
  /** The start of the path of the storefront's pages. */
  readonly path: string
  mayOpen(page: StorefrontPage): boolean
  mayDo(action: StorefrontAction): boolean
  mayExport(list: List): boolean
}

/*
 * Each of these reads the table of permissions. Null for a person without the permission, for a member of another merchant, for
 * an unknown storefront, and for an unknown mode.
 */

export const accessTo = (path: StorefrontPath, page: StorefrontPage, cookies: string | null): Promise<Access | null> =>
  accessWith(path, neededForPage(page), cookies)

/** `intent` is the value of the pressed button; null if the form has a single action. */
export const accessToForm = (
  path: StorefrontPath,
  form: StorefrontForm,
  intent: string | null,
  cookies: string | null,
): Promise<Access | null> => accessWith(path, neededForForm(form, intent), cookies)

/** Whether a person may use every button of a form. For routes that check the permission before they read a large body. */
export const maySend = async (path: StorefrontPath, form: StorefrontForm, cookies: string | null): Promise<boolean> =>
  (await accessToForm(path, form, null, cookies)) !== null

export const accessToList = (path: StorefrontPath, list: List, cookies: string | null): Promise<Access | null> =>
  accessWith(path, neededForList(list), cookies)

/** Checks a page of the service's own staff, and its form. */
export const staffOn = (_: StaffPage, cookies: string | null): Promise<SignedInPerson | null> => staffOf(cookies)

/** Checks a page of every person with a session. */
export const personOn = (_: PersonPage, cookies: string | null): Promise<SignedInPerson | null> => personOf(cookies)

async function accessWith(
  { mode, storefrontId }: StorefrontPath,
  needed: readonly Permission[],
  cookies: string | null,
): Promise<Access | null> {
  const person = await personOf(cookies)
  if (!person || (mode !== 'test' && mode !== 'live')) return null
  const storefront = await findStorefront(db(), storefrontId)
  const { membership } = person
  const isTheirs = membership === null || membership.merchantId === storefront?.merchant.id
  const role = membership?.role ?? null
  const has = (asked: readonly Permission[]) => asked.every((permission) => may(role, permission))
  if (!storefront || !isTheirs || !has(needed)) return null
  return {
    actor: person.actor,
    email: person.email,
    role,
    cookies,
    tenant: { storefrontId: storefront.id, testmode: mode === 'test' },
    storefront,
    mode,
    path: `/admin/${mode}/${storefront.id}`,
    mayOpen: (page) => has(neededForPage(page)),
    mayDo: (action) => has(neededForAction(action)),
    mayExport: (list) => has(neededForList(list)),
  }
}
