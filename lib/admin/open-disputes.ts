import { storefrontNames } from '../modules/accounts/store.ts'
import { pageOfOpenDisputes } from '../modules/chargebacks/open.ts'
import type { OpenDisputesPage } from '../modules/chargebacks/page.ts'
import { openStatuses } from '../modules/chargebacks/rules/state.ts'
import type { ChargebackWithOrder } from '../modules/chargebacks/with-order.ts'
import { db } from '../platform/db/db.ts'
import { staffOn } from './access.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { disputeRow } from './rows.ts'
import { staffExportUrl } from './staff-exports.ts'

/** The open disputes of all storefronts, the earliest deadline first. Null for everyone except staff. */
export async function openDisputesPage(
  parameters: ListParameters,
  cookies: string | null,
): Promise<OpenDisputesPage | null> {
  if (!(await staffOn('chargebacks', cookies))) return null
  const { startingAfter = null, endingBefore = null, status = null } = parameters
  const filter = chosen(openStatuses, status)
  const { dates, rows, ...list } = await adminList(
    '/admin/chargebacks',
    { startingAfter, endingBefore, status: filter.status },
    (query, sql) => pageOfOpenDisputes(sql, query, filter.status),
    (dispute) => dispute,
  )
  const names = await storefrontNames(
    db(),
    rows.map(({ tenant }) => tenant.storefrontId),
  )
  return {
    ...list,
    rows: rows.map((dispute) => rowOf(dispute, names)),
    // The list is sorted by deadline, so its page links are named "previous" and "next" instead of "newer" and "older".
    dates: { ...dates, isByDate: false },
    filter,
    exportUrl: staffExportUrl('chargebacks'),
  }
}

const rowOf = (dispute: ChargebackWithOrder, names: ReadonlyMap<string, string>) => {
  const { storefrontId, testmode } = dispute.tenant
  return {
    ...disputeRow(dispute),
    storefront: names.get(storefrontId) ?? storefrontId,
    url: `/admin/${testmode ? 'test' : 'live'}/${storefrontId}/chargebacks/${dispute.id}`,
  }
}
