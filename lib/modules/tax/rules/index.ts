export { computeTax, type TaxAmount, type TaxBehavior, type TaxedOrder } from './arithmetic.ts'
export { provincesWithOwnTax } from './canada.ts'
export { isInEuVatArea } from './eu.ts'
export { isOutsideScope, needsCheck, registryFor, type TaxIdRegistry } from './live-mode-tax.ts'
export {
  leftOfRow,
  merchantReport,
  type ReportRow,
  type ReportSum,
  reportTotals,
  type TaxSum,
} from './merchant-report.ts'
export { ossBalancesOf } from './oss-balances.ts'
export { inReturns, ossLayouts } from './oss-file.ts'
export type { TaxRate } from './rates.ts'
export { hasRates, isInForce, type Registration, type RegistrationScheme } from './registration.ts'
export {
  type OssRow,
  ossReturn,
  quarterOf,
  salesListOf,
  type TaxDocument,
  taxByCurrency,
  totalsOf,
} from './returns.ts'
export { isReverseCharge, reverseCharge } from './reverse-charge.ts'
export { contradictingCountry, evidenceOf } from './sale-evidence.ts'
export type { TaxFacts, TaxIdResult } from './tax-facts.ts'
export { taxFor } from './tax-for.ts'
export type { TaxDecision, TaxIdEffect } from './tax-types.ts'
export {
  lawInEnglish,
  percentOf,
  type SalesSum,
  type Standing,
  standingOf,
  standings,
  type Threshold,
  type ThresholdRow,
  thresholdsOf,
} from './thresholds.ts'
export { vatCurrenciesOf } from './vat-currencies.ts'
export { canonicalTaxId, viesParts } from './vat-id.ts'
