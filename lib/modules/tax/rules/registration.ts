import { standardRates } from './rates.ts'

/** `oss` and `ioss`: One Stop Shops of the EU, in which a seller declares the taxes of all member states to one. */
export type RegistrationScheme = 'local' | 'oss' | 'ioss'

export interface Registration {
  readonly id: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** A Canadian province with its own tax; '' for the country's tax. */
  readonly region: string
  readonly number: string
  readonly scheme: RegistrationScheme
  /** Such as `2026-11-23`; `until` is null while no end is known. */
  readonly from: string
  readonly until: string | null
}

export const isInForce = ({ from, until }: Pick<Registration, 'from' | 'until'>, day: string): boolean =>
  from <= day && (until === null || day <= until)

/** Without rates, as for the United States, no tax can be collected. */
export const hasRates = (country: string): boolean => standardRates.some((each) => each.country === country)
