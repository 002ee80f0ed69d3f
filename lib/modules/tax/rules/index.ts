export { computeTax, type TaxAmount, type TaxBehavior, type TaxedOrder } from './arithmetic.ts'
export { isInEuVatArea } from './eu.ts'
export type { TaxRate } from './rates.ts'
export {
  isReverseCharge,
  type TaxDecision,
  type TaxIdEffect,
  taxIdEffectInTestMode,
  taxIdInTestMode,
  taxInTestMode,
} from './test-mode.ts'
