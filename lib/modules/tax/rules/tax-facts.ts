import type { Registration } from './registration.ts'

/** A registry's result for a tax ID. Only a response can make it invalid; without a response it is unknown. */
export type TaxIdResult = 'valid' | 'invalid' | 'unknown'

/** The inputs of live tax besides the buyer's form. */
export interface TaxFacts {
  readonly registrations: readonly Registration[]
  /** The day on which the facts were read, such as `2026-11-24`; '' for no facts. */
  readonly readOn: string
  /** The latest result of the registry, by canonical tax ID. */
  readonly taxIdResults: Readonly<Record<string, TaxIdResult>>
  /** Whether a tax ID without a response of the registry counts as valid. */
  readonly acceptsUnknown: boolean
  /** Names from the registry, by canonical tax ID. */
  readonly registeredNames: Readonly<Record<string, string>>
  /** The ids of the decisive checks, by canonical tax ID. */
  readonly checkIds: Readonly<Record<string, string>>
}

/** No registrations and no checked tax IDs. */
export const noTaxFacts: TaxFacts = {
  registrations: [],
  readOn: '',
  taxIdResults: {},
  acceptsUnknown: false,
  registeredNames: {},
  checkIds: {},
}
