export { computeTax, type TaxAmount, type TaxBehavior, type TaxedLine, type TaxedOrder } from './arithmetic.ts'
export type { TaxRate } from './rates.ts'
export { type TaxDecision, type TaxIdStanding, taxIdInTestMode, taxInTestMode } from './test-mode.ts'
