import { type DirectDebit, exampleCreditorId, mandateReference } from '../../kernel/sepa.ts'
import { config } from '../../platform/config.ts'
import type { Mandate } from './rules/index.ts'

/** The seller's creditor identifier; in test mode an example where none is configured. */
export const sepaCreditorId = (testmode: boolean): string | null =>
  config().sepaCreditorId ?? (testmode ? exampleCreditorId : null)

/** Null for a mandate that is not charged by SEPA Direct Debit. */
export const directDebitOf = (mandate: Mandate | null, testmode: boolean): DirectDebit | null =>
  mandate?.method === 'sepa_debit'
    ? {
        creditorId: sepaCreditorId(testmode),
        mandateReference: mandate.reference ?? mandateReference(mandate.id),
        account: mandate.maskedIdentifier,
      }
    : null
