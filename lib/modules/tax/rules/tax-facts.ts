import type { Registration } from './registration.ts'

/** Only a response can make a tax ID invalid; without a response it is unknown. */
export type TaxIdResult = 'valid' | 'invalid' | 'unknown'

export interface TaxFacts {
  readonly registrations: readonly Registration[]
  /** The day on which the facts were read, such as `2026-11-24`; '' for no facts. */
  readonly readOn: string
  /** By canonical tax ID. */
  readonly taxIdResults: Readonly<Record<string, TaxIdResult>>
  /** Whether a tax ID without a response of the registry counts as valid. */
  readonly acceptsUnknown: boolean
  /** By canonical tax ID. */
  readonly registeredNames: Readonly<Record<string, string>>
  /** By canonical tax ID. */
  readonly checkIds: Readonly<Record<string, string>>
}

export const noTaxFacts: TaxFacts = {
  registrations: [],
  readOn: '',
  taxIdResults: {},
  acceptsUnknown: false,
  registeredNames: {},
  checkIds: {},
}
