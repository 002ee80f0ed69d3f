import { standardRates } from './rates.ts'

/** `oss` and `ioss`: the One Stop Shops of the EU, by which its members' taxes are declared in one of them. */
export type RegistrationScheme = 'local' | 'oss' | 'ioss'

/** A registration of the seller with a tax authority. */
export interface Registration {
  readonly id: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** A province of Canada with a tax of its own; '' for the country's tax. */
  readonly region: string
  readonly number: string
  readonly scheme: RegistrationScheme
  /** The first and the last day, such as `2026-11-23`; `until` is null while no end is known. */
  readonly from: string
  readonly until: string | null
}

/** Whether it holds on a day. */
export const isInForce = ({ from, until }: Pick<Registration, 'from' | 'until'>, day: string): boolean =>
  from <= day && (until === null || day <= until)

/** Whether the table has rates of a country: nothing can be collected where it has none, as in the United States. */
export const hasRates = (country: string): boolean => standardRates.some((each) => each.country === country)
