import { db } from '../../platform/db/db.ts'
import { entries, type StoredEntry } from './store.ts'

export { auditEnd, verifyAudit } from './verify.ts'

/** A page of the audit log, the newest first, of one subject or of all; `before` is the number after which it begins. */
export const auditLog = (before: bigint | null, take: number, subject?: string): Promise<StoredEntry[]> =>
  entries(db(), { before, subject }, take)
