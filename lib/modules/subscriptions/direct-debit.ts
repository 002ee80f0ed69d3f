import { type DirectDebit, exampleCreditorId, mandateReference } from '../../kernel/sepa.ts'
import { config } from '../../platform/config.ts'
import type { Mandate } from './rules/index.ts'

/** Returns the seller's SEPA creditor identifier. In test mode, returns an example identifier if none is configured. */
export const sepaCreditorId = (testmode: boolean): string | null =>
  config().sepaCreditorId ?? (testmode ? exampleCreditorId : null)

export const directDebitOf = (mandate: Mandate | null, testmode: boolean): DirectDebit | null =>
  mandate?.method === 'sepa_debit'
    ? {
        creditorId: sepaCreditorId(testmode),
        mandateReference: mandate.reference ?? mandateReference(mandate.id),
        account: mandate.maskedIdentifier,
      }
    : null
