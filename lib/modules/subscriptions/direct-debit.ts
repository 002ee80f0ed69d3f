import { type DirectDebit, exampleCreditorId, mandateReference } from '../../kernel/sepa.ts'
import { config } from '../../platform/config.ts'
import type { Mandate } from './rules/index.ts'

/** In test mode, an example if none is configured. */
export const sepaCreditorId = (testmode: boolean): string | null =>
  config().sepaCreditorId ?? (testmode ? exampleCreditorId : null)

/** Null for other mandates. */
export const directDebitOf = (mandate: Mandate | null, testmode: boolean): DirectDebit | null =>
  mandate?.method === 'sepa_debit'
    ? {
        creditorId: sepaCreditorId(testmode),
        mandateReference: mandate.reference ?? mandateReference(mandate.id),
        account: mandate.maskedIdentifier,
      }
    : null
