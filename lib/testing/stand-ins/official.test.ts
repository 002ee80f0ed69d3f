import { expectTypeOf, it } from 'vitest'
import type { LeftOut, Official } from './official.ts'

// These assertions are about types, so only the compiler evaluates them (`npm run check`).

/** An example of an object in an official API description. */
interface Described {
  readonly id: string
  readonly status: 'open' | 'paid'
  readonly card: { readonly last4: string; readonly brand: string | null } | null
}

it('the type `Official` accepts the object of a stand-in that omits described fields', () => {
  interface Ours {
    readonly id: string
    readonly status: 'paid'
    readonly card: { readonly last4: string }
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<Ours>()
})

it('the type `Official` names each field that the provider does not describe, and each field with a forbidden value or type', () => {
  interface Ours {
    readonly id: number
    readonly status: 'paid' | 'given'
    readonly card: { readonly last4: number }
    readonly state: string
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<{ readonly wrong: 'id' | 'status' | 'card' | 'state' }>()
})

it('the type `Official` accepts an undescribed field if the stand-in lists this field as its own', () => {
  interface Ours {
    readonly id: string
    readonly intended: object
  }
  expectTypeOf<Official<Ours, Described, 'intended'>>().toEqualTypeOf<Ours>()
})

it('the type `LeftOut` names each described field that the object of a stand-in omits', () => {
  interface Read {
    readonly id: string
    readonly card: { readonly last4: string } | null
    readonly note?: string
  }
  expectTypeOf<LeftOut<{ readonly id: string }, Read>>().toEqualTypeOf<'card'>()
  expectTypeOf<LeftOut<Read, Read>>().toEqualTypeOf<never>()
})
