import { standardRates } from './rates.ts'

/** `oss` and `ioss` are One Stop Shops of the EU, in which the seller declares the taxes of all member states in one return. */
export type RegistrationScheme = 'local' | 'oss' | 'ioss'

export interface Registration {
  readonly id: string
  readonly country: string
  /** `region` is a Canadian province with its own tax. It is empty for the tax of the country. */
  readonly region: string
  readonly number: string
  readonly scheme: RegistrationScheme
  /** `from` and `until` are days such as `2026-11-23`. `until` is null while no last day is set. */
  readonly from: string
  readonly until: string | null
}

export const isInForce = ({ from, until }: Pick<Registration, 'from' | 'until'>, day: string): boolean =>
  from <= day && (until === null || day <= until)

export const hasRates = (country: string): boolean => standardRates.some((each) => each.country === country)
