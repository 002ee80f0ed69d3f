import { cache } from 'react'
import type { Locale } from '../kernel/locale.ts'
import * as accounts from '../modules/accounts/store.ts'
import type { Actor } from '../modules/audit/rules/entry.ts'
import * as sessions from '../modules/operators/manage-sessions.ts'
import { may, type Permission, type Role } from '../modules/operators/rules/access.ts'
import type { Caller, Tenant } from '../platform/clock/clock.ts'
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

export interface StorefrontPath {
  readonly mode: string
  readonly storefrontId: string
}

type List = keyof typeof exports
type SignedInPerson = sessions.SignedInPerson

/**
 * React caches the results of `personOf` and `findStorefront` during a request, so that the layout and the page share
 * them. In route handlers, each call reads the database.
 */
const personOf = cache(sessions.personOf)
const findStorefront = cache((id: string) => accounts.findStorefront(db(), id))

/** A person who has opened one storefront in one mode, and what the person may do there. */
export interface Access {
  readonly actor: Actor
  readonly email: string
  readonly language: Locale
  /** Null for the service's own staff. */
  readonly role: Role | null
  /** The cookies of the request, which identify the session. A second-factor code is checked for this session. */
  readonly cookies: string | null
  readonly tenant: Tenant
  readonly storefront: accounts.Storefront
  readonly mode: 'test' | 'live'
  readonly path: string
  mayOpen(page: StorefrontPage): boolean
  mayDo(action: StorefrontAction): boolean
  mayExport(list: List): boolean
}

/*
 * `accessTo`, `accessToForm`, and `accessToList` check the table of permissions. They return null for a person without
 * the permission, for a member of another merchant, for an unknown storefront, and for an unknown mode.
 */

export const accessTo = (path: StorefrontPath, page: StorefrontPage, cookies: string | null): Promise<Access | null> =>
  accessWith(path, neededForPage(page), cookies)

export const accessToForm = (
  path: StorefrontPath,
  form: StorefrontForm,
  intent: string | null,
  cookies: string | null,
): Promise<Access | null> => accessWith(path, neededForForm(form, intent), cookies)

/** Whether a person may use every button of a form. Routes call this function before they read a large body. */
export const maySend = async (path: StorefrontPath, form: StorefrontForm, cookies: string | null): Promise<boolean> =>
  (await accessToForm(path, form, null, cookies)) !== null

export const accessToList = (path: StorefrontPath, list: List, cookies: string | null): Promise<Access | null> =>
  accessWith(path, neededForList(list), cookies)

export async function staffOn(_: StaffPage, cookies: string | null): Promise<SignedInPerson | null> {
  const person = await personOf(cookies)
  return person?.membership === null ? person : null
}

export const personOn = (_: PersonPage, cookies: string | null): Promise<SignedInPerson | null> => personOf(cookies)

/** Merchants do not see which staff member acted. The audit log records the staff member. */
const callerOf = ({ membership, actor }: SignedInPerson): Caller =>
  membership === null ? 'staff' : (actor.id as Caller)

async function accessWith(
  { mode, storefrontId }: StorefrontPath,
  needed: readonly Permission[],
  cookies: string | null,
): Promise<Access | null> {
  const person = await personOf(cookies)
  if (!person || (mode !== 'test' && mode !== 'live')) return null
  const storefront = await findStorefront(storefrontId)
  const { membership } = person
  const isTheirs = membership === null || membership.merchantId === storefront?.merchant.id
  const role = membership?.role ?? null
  const has = (asked: readonly Permission[]) => asked.every((permission) => may(role, permission))
  if (!storefront || !isTheirs || !has(needed)) return null
  return {
    actor: person.actor,
    email: person.email,
    language: person.language,
    role,
    cookies,
    tenant: { storefrontId: storefront.id, testmode: mode === 'test', by: callerOf(person) },
    storefront,
    mode,
    path: `/admin/${mode}/${storefront.id}`,
    mayOpen: (page) => has(neededForPage(page)),
    mayDo: (action) => has(neededForAction(action)),
    mayExport: (list) => has(neededForList(list)),
  }
}
