import type { StatementDocument } from '../ledger/page.ts'
import { Documents } from './documents.ts'
import type { FactSheet } from './page.ts'
import { Workers } from './pdf/workers.ts'

const workers = new Workers()

export const documents = new Documents(workers)

export const factSheetPdf = (facts: FactSheet): Promise<Uint8Array<ArrayBuffer>> => workers.draw(facts)

export const statementFile = async (statement: StatementDocument, storefrontId: string): Promise<Uint8Array> =>
  (await documents.get(statement, storefrontId)).bytes

export const stopDrawing = (): Promise<void> => documents.close()
