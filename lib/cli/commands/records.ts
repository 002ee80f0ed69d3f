import { type Command, command } from '../command.ts'
import { writeEvidence } from '../evidence.ts'
import { customer } from '../flags.ts'

const taxEvidence = () => import('../../workflows/tax-evidence/pack.ts')
const erasure = () => import('../../workflows/erasure/operations.ts')
const personalData = () => import('../../workflows/erasure/export.ts')

/** Stored data about a customer, and about the tax of a sale. */
export const recordsCommands: readonly Command[] = [
  command({
    noun: 'customer',
    verb: 'export',
    summary: 'Write all that is stored about a customer (GDPR, art. 15 and 20)',
    flags: { customer },
    alwaysJson: true,
    run: async ({ customer }) => (await personalData()).exportCustomer(customer),
  }),
  command({
    noun: 'customer',
    verb: 'erase',
    summary: 'Erase what names a customer, but for issued documents until their time ends (GDPR, art. 17)',
    flags: { customer },
    run: async ({ customer }) => (await erasure()).erase(customer),
  }),
  command({
    noun: 'evidence',
    verb: 'show',
    summary: "Show what a sale's tax in live mode was decided by",
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      pdf: { value: 'FILE', help: 'also written there, as a PDF' },
    },
    alwaysJson: true,
    run: async ({ order, pdf }) => {
      const pack = await (await taxEvidence()).evidencePack(order)
      if (pdf !== undefined) await writeEvidence(pdf, pack)
      return pack
    },
  }),
]
