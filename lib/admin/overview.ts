import { toWire } from '../kernel/moment.ts'
import { auditLog } from '../modules/audit/operations.ts'
import { countReviews, reviewQueue } from '../modules/catalog/store.ts'
import { db } from '../platform/db/db.ts'
import { personOn } from './access.ts'
import { auditRows } from './audit.ts'

const entriesOnOverview = 8

/** The waiting work and the latest actions. Null for anybody but staff. */
export async function adminOverview(cookies: string | null) {
  const person = await personOn('', cookies)
  if (person?.membership !== null) return null
  const [queue, entries] = [await reviewQueue(db(), 1), await auditLog(null, entriesOnOverview)]
  const [oldest] = queue
  return {
    reviews: await countReviews(db()),
    oldestAt: oldest ? toWire(oldest.product.createdAt) : null,
    entries: await auditRows(entries),
  }
}
