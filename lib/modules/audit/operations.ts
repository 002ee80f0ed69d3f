import { db } from '../../platform/db/db.ts'
import { entries, type StoredEntry } from './store.ts'

export { auditEnd, verifyAudit } from './verify.ts'

/** A page of the audit log, newest first, of one subject or of all. The page begins after the number `before`. */
export const auditLog = (before: bigint | null, take: number, subject?: string): Promise<StoredEntry[]> =>
  entries(db(), { before, subject }, take)
