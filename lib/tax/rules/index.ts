export { computeTax, type TaxAmount, type TaxBehavior, type TaxedOrder } from './arithmetic.ts'
export type { TaxRate } from './rates.ts'
export { type TaxDecision, taxIdInTestMode, taxInTestMode } from './test-mode.ts'
