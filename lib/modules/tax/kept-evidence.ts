import { Refusal } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import { countryProofOf } from './rules/sale-evidence.ts'
import * as store from './store.ts'

export async function keptEvidence(orderId: string) {
  const found = await store.findEvidence(db(), orderId)
  if (!found) throw new Refusal('not_found')
  const { tenant, taxIdCheckId, ...evidence } = found
  const check = taxIdCheckId === null ? null : await store.findCheck(db(), tenant, taxIdCheckId)
  const [latest = null] = evidence.taxId ? await store.decisiveChecks(db(), tenant, [evidence.taxId]) : []
  return {
    ...evidence,
    standing: countryProofOf(evidence),
    taxIdCheck: check,
    laterTaxIdCheck: latest && latest.id !== check?.id ? latest : null,
  }
}
