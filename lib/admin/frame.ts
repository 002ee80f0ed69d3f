import { toWire } from '../kernel/moment.ts'
import type { AdminFrame, NavigationLinks, StorefrontFrame, StorefrontSection } from '../modules/accounts/page.ts'
import { pageOfStorefronts } from '../modules/accounts/store.ts'
import { countPendingChargebacks } from '../modules/chargebacks/store.ts'
import { lastPlace } from '../modules/operators/last-place.ts'
import type { SignedInPerson } from '../modules/operators/manage-sessions.ts'
import { showsIcons } from '../modules/operators/sidebar.ts'
import { countOpenRecoveries } from '../modules/recovery/store.ts'
import { now as clockNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, personOn, type StorefrontPath } from './access.ts'
import { mostCounted } from './attention.ts'
import { countFailing } from './endpoint-health.ts'
import { countWaiting } from './inbox.ts'
import { staffNavigation, storefrontNavigation } from './navigation.ts'
import { suspensionOf } from './suspension.ts'

const storefrontsInSwitcher = 10

export async function storefrontFrame(path: StorefrontPath, cookies: string | null): Promise<AdminFrame | null> {
  const access = await accessTo(path, '', cookies)
  if (!access) return null
  const reader = { email: access.email, merchantId: access.role && access.storefront.merchant.id, cookies }
  return frameAround(reader, access)
}

/** The frame of a page without a storefront. The sidebar links to the storefront that the reader opened last. */
export async function serviceFrame(cookies: string | null): Promise<AdminFrame | null> {
  const person = await personOn('', cookies)
  if (!person) return null
  const reader = { email: person.email, merchantId: person.membership?.merchantId ?? null, cookies }
  return frameAround(reader, await accessToHome(person, cookies))
}

/**
 * The path that a member opens after the log-in: the last visited storefront and mode, or else the newest storefront in
 * test mode. Null for staff, and for a member without a storefront.
 */
export async function homeOfMember(cookies: string | null): Promise<string | null> {
  const person = await personOn('', cookies)
  if (!person?.membership) return null
  return (await accessToHome(person, cookies))?.path ?? null
}

async function accessToHome(person: SignedInPerson, cookies: string | null): Promise<Access | null> {
  const last = lastPlace(cookies)
  const access = last && (await accessTo(last, '', cookies))
  if (access || !person.membership) return access
  const { rows } = await pageOfStorefronts(db(), { limit: 1 }, { merchantId: person.membership.merchantId })
  return rows[0] ? accessTo({ mode: 'test', storefrontId: rows[0].id }, '', cookies) : null
}

interface Reader {
  readonly email: string
  /** Null for staff. */
  readonly merchantId: string | null
  readonly cookies: string | null
}

async function frameAround({ email, merchantId, cookies }: Reader, access: Access | null): Promise<AdminFrame> {
  const [{ rows, next }, storefront, staff] = await Promise.all([
    pageOfStorefronts(db(), { limit: storefrontsInSwitcher }, { merchantId: merchantId ?? undefined }),
    access && frameOf(access),
    merchantId === null ? linksOfStaff() : null,
  ])
  return {
    email,
    storefront,
    staff,
    storefronts: rows.map(({ id, name }) => ({ name, url: `/admin/${access?.mode ?? 'test'}/${id}` })),
    hasMoreStorefronts: next,
    showsIcons: showsIcons(cookies),
  }
}

async function frameOf(access: Access): Promise<StorefrontFrame> {
  const { storefront, mode, path, tenant } = access
  const [pastDue, chargebacks, endpoints, now] = await Promise.all([
    countOpenRecoveries(db(), tenant, mostCounted),
    countPendingChargebacks(db(), tenant, mostCounted),
    access.mayOpen('endpoints') ? countFailing(tenant) : 0,
    clockNow(db(), tenant),
  ])
  const counts: Partial<Record<StorefrontSection, number>> = { 'past-due': pastDue, chargebacks, endpoints }
  return {
    name: storefront.name,
    merchant: storefront.merchant.name,
    mode,
    path,
    now: toWire(now),
    mayAdvance: access.mayOpen('clock') && tenant.testmode,
    suspension: suspensionOf(storefront),
    heldAt: storefront.heldAt && toWire(storefront.heldAt),
    testOnly: storefrontNavigation.flatMap(({ entries }) =>
      entries.flatMap(({ page, testOnly }) => (testOnly ? [page] : [])),
    ),
    groups: storefrontNavigation.map(({ group, entries }) => ({
      group,
      links: entries
        .filter(({ page, testOnly }) => access.mayOpen(page) && (!testOnly || tenant.testmode))
        .map(({ section, page, tabs = [] }) => ({
          section,
          url: page === '' ? path : `${path}/${page}`,
          count: counts[section] ?? 0,
          tabs: tabs.map((tab) => `${path}/${tab}`),
        })),
    })),
  }
}

async function linksOfStaff(): Promise<NonNullable<AdminFrame['staff']>> {
  const { inbox, ...queues } = await countWaiting()
  const counts: Partial<Record<(typeof staffNavigation)[number]['section'], number>> = { overview: inbox, ...queues }
  return staffNavigation.map(({ section, path }) => ({
    section,
    url: path === '' ? '/admin' : `/admin/${path}`,
    count: counts[section] ?? 0,
  })) satisfies NavigationLinks<string>
}
