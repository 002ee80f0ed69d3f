import { type DirectDebit, exampleCreditorId, mandateReference } from '../../kernel/sepa.ts'
import { config } from '../../platform/config.ts'
import type { Mandate } from './rules/index.ts'

/** The seller's SEPA creditor identifier. In test mode an example if none is configured. */
export const sepaCreditorId = (testmode: boolean): string | null =>
  config().sepaCreditorId ?? (testmode ? exampleCreditorId : null)

/** The details of a SEPA direct debit; null for other mandates. */
export const directDebitOf = (mandate: Mandate | null, testmode: boolean): DirectDebit | null =>
  mandate?.method === 'sepa_debit'
    ? {
        creditorId: sepaCreditorId(testmode),
        mandateReference: mandate.reference ?? mandateReference(mandate.id),
        account: mandate.maskedIdentifier,
      }
    : null
