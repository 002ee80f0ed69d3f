import type { Registration } from './registration.ts'

/** The answer of a registry to a tax ID: only an answer makes it invalid; silence, or none yet, is unknown. */
export type TaxIdResult = 'valid' | 'invalid' | 'unknown'

/** What a sale in live mode depends on beyond the buyer's form. */
export interface TaxFacts {
  readonly registrations: readonly Registration[]
  /** The day on which the facts were read, such as `2026-11-24`; '' for no facts. */
  readonly readOn: string
  /** The last answer of the registry, by tax ID in canonical form. */
  readonly taxIdResults: Readonly<Record<string, TaxIdResult>>
  /** Whether an ID that the registry did not answer for counts as valid. */
  readonly acceptsUnknown: boolean
  /** Names as the registry has them, by tax ID in canonical form. */
  readonly registeredNames: Readonly<Record<string, string>>
  /** The ids of the checks that count, by tax ID in canonical form. */
  readonly checkIds: Readonly<Record<string, string>>
}

/** Nothing is registered, and no tax ID was checked. */
export const noTaxFacts: TaxFacts = {
  registrations: [],
  readOn: '',
  taxIdResults: {},
  acceptsUnknown: false,
  registeredNames: {},
  checkIds: {},
}
