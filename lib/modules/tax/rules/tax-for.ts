import type { Sale, TaxDecision, TaxIdEffect, TaxIdValidity } from './decision.ts'
import {
  reversesInLiveMode,
  taxIdEffectInLiveMode,
  taxIdExampleInLiveMode,
  taxIdInLiveMode,
  taxInLiveMode,
} from './live-mode.ts'
import { isSamePlace } from './territories.ts'
import {
  reversesInTestMode,
  taxIdEffectInTestMode,
  taxIdExampleInTestMode,
  taxIdInTestMode,
  taxInTestMode,
} from './test-mode.ts'
import { requiredPrefix } from './vat-id.ts'

/** The tax rules of a mode. */
export interface TaxRules {
  /** The rates of a sale, never none, and why. A reverse charge replaces every other tax. */
  decide(sale: Sale): TaxDecision
  /** Whether a tax ID is accepted for a buyer's country. */
  taxIdValidity(taxId: string | null, buyerCountry: string): TaxIdValidity
  /**
   * How a tax ID of a buyer's country is written. Null where that is not known, and where the one that is typed has the
   * form already.
   */
  taxIdExample(taxId: string | null, buyerCountry: string): string | null
  /** What a tax ID of a buyer's country begins with. Null where there is no rule. */
  taxIdPrefix(buyerCountry: string): string | null
  /** What a tax ID does to a sale. */
  taxIdEffect(sale: Omit<Sale, 'on'>): TaxIdEffect
  /** Whether a valid tax ID would make a reverse charge of a sale to the buyer. */
  reverses(sale: Omit<Sale, 'on' | 'taxId'>): boolean
  /** Whether two postal codes of a buyer's country are taxed, and declared, in the same place. */
  isSamePlace(buyerCountry: string, postalCode: string | null, other: string | null): boolean
}

const testModeTax: TaxRules = {
  decide: taxInTestMode,
  taxIdValidity: taxIdInTestMode,
  taxIdExample: taxIdExampleInTestMode,
  taxIdPrefix: (buyerCountry) => buyerCountry || null,
  taxIdEffect: taxIdEffectInTestMode,
  reverses: reversesInTestMode,
  isSamePlace: () => true,
}

const liveModeTax: TaxRules = {
  decide: taxInLiveMode,
  taxIdValidity: taxIdInLiveMode,
  taxIdExample: taxIdExampleInLiveMode,
  taxIdPrefix: requiredPrefix,
  taxIdEffect: taxIdEffectInLiveMode,
  reverses: reversesInLiveMode,
  isSamePlace,
}

const rules: Readonly<Record<'test' | 'live', TaxRules>> = { test: testModeTax, live: liveModeTax }

/** The one place that knows which tax rules apply in a mode. */
export const taxFor = ({ testmode }: { readonly testmode: boolean }): TaxRules => rules[testmode ? 'test' : 'live']
