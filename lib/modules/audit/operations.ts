import { db } from '../../platform/db/db.ts'
import { entries, type StoredEntry } from './store.ts'

export { auditEnd, verifyAudit } from './verify.ts'

/** Returns at most `take` entries with numbers below `before`, newest first. */
export const auditLog = (before: bigint | null, take: number, subject?: string): Promise<StoredEntry[]> =>
  entries(db(), { before, subject }, take)
