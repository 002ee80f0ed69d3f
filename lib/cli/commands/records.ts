import { type Command, command } from '../command.ts'
import { writeEvidence } from '../evidence.ts'
import { customer } from '../flags.ts'

const taxEvidence = () => import('../../workflows/tax-evidence/pack.ts')
const erasure = () => import('../../workflows/erasure/operations.ts')
const personalData = () => import('../../workflows/erasure/export.ts')

export const recordsCommands: readonly Command[] = [
  command({
    noun: 'customer',
    verb: 'export',
    summary: 'Print all stored data about a customer (GDPR, art. 15 and 20)',
    flags: { customer },
    alwaysJson: true,
    run: async ({ customer }) => (await personalData()).exportCustomer(customer),
  }),
  command({
    noun: 'customer',
    verb: 'erase',
    summary:
      'Erase the personal data of a customer, except in issued documents until their retention ends (GDPR, art. 17)',
    flags: { customer },
    run: async ({ customer }) => (await erasure()).erase(customer),
  }),
  command({
    noun: 'evidence',
    verb: 'show',
    summary: 'Show the evidence for the tax of a live sale',
    flags: {
      order: { value: 'ID', help: "the order's id", required: true },
      pdf: { value: 'FILE', help: 'also write the evidence to this PDF file' },
    },
    alwaysJson: true,
    run: async ({ order, pdf }) => {
      const pack = await (await taxEvidence()).evidencePack(order)
      if (pdf !== undefined) await writeEvidence(pdf, pack)
      return pack
    },
  }),
]
