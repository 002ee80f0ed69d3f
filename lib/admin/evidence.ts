import { writeAudit } from '../modules/audit/write.ts'
import { findOrder } from '../modules/orders/store.ts'
import { findEvidence } from '../modules/tax/store.ts'
import { db } from '../platform/db/db.ts'
import { evidencePdf } from '../workflows/tax-evidence/pdf.ts'
import { type Access, accessToForm, type StorefrontPath } from './access.ts'

/** The link to the evidence of an order's tax, for roles that may export. Absent in test mode, which stores no evidence. */
export async function evidenceOn(access: Access, orderId: string): Promise<{ evidenceUrl?: string }> {
  if (!access.mayDo('export.evidence') || access.tenant.testmode || !(await findEvidence(db(), orderId))) return {}
  return { evidenceUrl: `${access.path}/export/evidence/${orderId}` }
}

/** The tax evidence of an order as a PDF, recorded in the audit log. Null if the order has no evidence, or if the reader's role does not permit the export. */
export async function exportEvidence(
  place: StorefrontPath,
  orderId: string,
  cookies: string | null,
): Promise<{ fileName: string; parts: AsyncGenerator<Uint8Array> } | null> {
  const access = await accessToForm(place, 'export/evidence/[id]', null, cookies)
  const order = access && (await findOrder(db(), access.tenant, orderId))
  if (!access || !order || !(await evidenceOn(access, orderId)).evidenceUrl) return null
  const bytes = await evidencePdf(orderId, access.tenant.storefrontId)
  await db().$transaction((sql) =>
    writeAudit(sql, access.actor, { action: 'export.evidence', subject: orderId, before: null, after: null }),
  )
  return { fileName: `evidence-${order.invoice?.number ?? orderId}.pdf`, parts: only(bytes) }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
