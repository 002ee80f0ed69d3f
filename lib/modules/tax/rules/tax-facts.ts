import type { Registration } from './registration.ts'

/** `unknown`: the registry has not responded. */
export type TaxIdResult = 'valid' | 'invalid' | 'unknown'

export interface TaxFacts {
  readonly registrations: readonly Registration[]
  /** The day on which the facts were read, such as `2026-11-24`; empty if none were read. */
  readonly readOn: string
  readonly taxIdResults: Readonly<Record<string, TaxIdResult>>
  readonly acceptsUnknown: boolean
  readonly registeredNames: Readonly<Record<string, string>>
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
