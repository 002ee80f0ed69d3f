import {
  reversesInLiveMode,
  taxIdEffectInLiveMode,
  taxIdExampleInLiveMode,
  taxIdInLiveMode,
  taxInLiveMode,
} from './live-mode-tax.ts'
import { isSamePlace } from './place-of-supply.ts'
import type { Sale, TaxDecision, TaxIdEffect, TaxIdValidity } from './tax-types.ts'
import {
  reversesInTestMode,
  taxIdEffectInTestMode,
  taxIdExampleInTestMode,
  taxIdInTestMode,
  taxInTestMode,
} from './test-mode-tax.ts'
import { requiredPrefix } from './vat-id.ts'

export interface TaxRules {
  /** Decides the tax of a sale. Returns at least one rate. A reverse charge replaces every other tax. */
  decide(sale: Sale): TaxDecision
  taxIdValidity(taxId: string | null, buyerCountry: string): TaxIdValidity
  taxIdExample(taxId: string | null, buyerCountry: string): string | null
  /** Returns the prefix of a country's tax IDs. Returns null if they have no fixed prefix. */
  taxIdPrefix(buyerCountry: string): string | null
  taxIdEffect(sale: Omit<Sale, 'on'>): TaxIdEffect
  reverses(sale: Omit<Sale, 'on' | 'taxId'>): boolean
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

export const taxFor = ({ testmode }: { readonly testmode: boolean }): TaxRules => rules[testmode ? 'test' : 'live']
