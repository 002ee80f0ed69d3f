import { type Locale, negotiateLocale } from '../../kernel/locale.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import type { HostedPage } from '../../modules/checkouts/page.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { lastLocale } from '../../modules/orders/store.ts'
import type { FoundSession } from '../../modules/portal/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'

export async function localeOf(
  { session, tenant }: { session: Pick<FoundSession['session'], 'customerId'>; tenant: Tenant },
  visitor: Visitor,
): Promise<Locale> {
  const customer = await findCustomer(db(), tenant, session.customerId)
  if (customer?.locale) return customer.locale
  return (await lastLocale(db(), tenant, session.customerId)) ?? negotiateLocale(visitor.acceptLanguage)
}

export const frameOf = async ({ storefrontId, testmode }: Tenant, locale: Locale): Promise<HostedPage> => ({
  locale,
  testmode,
  ...(await storefrontView(db(), storefrontId)),
  seller: sellerView(config().seller),
})
