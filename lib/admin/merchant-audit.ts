import { parseTypedDay } from '../kernel/typed-day.ts'
import { storefrontIdsOf } from '../modules/accounts/store.ts'
import { entriesOfMerchant } from '../modules/audit/of-merchant.ts'
import type { MerchantAuditPage } from '../modules/audit/page.ts'
import { type AuditTopic, auditTopics } from '../modules/audit/rules/topics.ts'
import { emailsOfMembers } from '../modules/operators/store.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { auditRows } from './audit.ts'
import type { ListParameters } from './list.ts'

const entriesOnPage = 50

/**
 * The audit log that owners of a merchant see, newest first: the actions of members, and all actions on the merchant's
 * storefronts. The names and addresses of staff are left out.
 */
export async function merchantAuditPage(
  place: StorefrontPath,
  { topic = null, member = null, from = null, to = null, before = null }: ListParameters,
  cookies: string | null,
): Promise<MerchantAuditPage | null> {
  const access = await accessTo(place, 'audit-log', cookies)
  if (!access) return null
  const { id: merchantId } = access.storefront.merchant
  const [members, storefrontIds] = await Promise.all([
    emailsOfMembers(db(), merchantId),
    storefrontIdsOf(db(), merchantId),
  ])
  const filter = {
    topic: auditTopics.find((each) => each === topic) ?? null,
    member: member !== null && members.has(member) ? member : null,
    from: parseTypedDay(from) && from,
    to: parseTypedDay(to) && to,
  }
  const number = before !== null && /^[1-9]\d{0,15}$/.test(before) ? BigInt(before) : null
  const entries = await entriesOfMerchant(
    db(),
    {
      memberIds: [...members.keys()],
      storefrontIds,
      memberId: filter.member,
      topic: filter.topic,
      since: parseTypedDay(filter.from)?.start ?? null,
      until: parseTypedDay(filter.to)?.end ?? null,
      before: number,
    },
    entriesOnPage + 1,
  )
  const shown = entries.slice(0, entriesOnPage)
  const last = entries.length > shown.length ? shown.at(-1) : undefined
  const url = (more: Record<string, string | null>) => {
    const set = Object.entries({ ...filter, ...more }).filter((each): each is [string, string] => Boolean(each[1]))
    return `${access.path}/audit-log${set.length > 0 ? `?${new URLSearchParams(set)}` : ''}`
  }
  return {
    entries: (await auditRows(shown)).map((row) => (members.has(row.actor.id) ? row : withoutStaff(row, members))),
    topics: [null, ...auditTopics].map((each: AuditTopic | null) => ({ topic: each, url: url({ topic: each }) })),
    filter,
    members: [...members].map(([id, email]) => ({ id, email })),
    listUrl: `${access.path}/audit-log`,
    newestUrl: number === null ? null : url({}),
    olderUrl: last ? url({ before: String(last.seq) }) : null,
  }
}

const withoutStaff = (row: MerchantAuditPage['entries'][number], members: ReadonlyMap<string, string>) => ({
  ...row,
  who: null,
  subjectName: row.subject.startsWith('operator_') && !members.has(row.subject) ? null : row.subjectName,
  actor: { ...row.actor, id: '', address: null },
})
