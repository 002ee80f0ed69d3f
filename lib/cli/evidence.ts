import { writeFile } from 'node:fs/promises'
import { invalid } from '../kernel/refusal.ts'
import type { EvidencePack } from '../workflows/tax-evidence/pack.ts'

/** Writes the evidence of a sale as a PDF file. Throws `validation_failed` if the file cannot be created. */
export async function writeEvidence(file: string, pack: EvidencePack): Promise<void> {
  const { drawFactSheet } = await import('../modules/invoices/pdf/fact-sheet.ts')
  const { evidenceSheet } = await import('../workflows/tax-evidence/sheet.ts')
  const bytes = await drawFactSheet(evidenceSheet(pack))
  await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
    throw invalid('pdf', `The file cannot be written (${error.code}).`)
  })
}
