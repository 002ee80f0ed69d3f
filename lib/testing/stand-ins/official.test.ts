import { expectTypeOf, it } from 'vitest'
import type { LeftOut, Official } from './official.ts'

/** An object of an official description. The compiler runs these tests (`npm run check`). */
interface Described {
  readonly id: string
  readonly status: 'open' | 'paid'
  readonly card: { readonly last4: string; readonly brand: string | null } | null
}

it('the type of official objects allows an object with some of the described fields', () => {
  interface Ours {
    readonly id: string
    readonly status: 'paid'
    readonly card: { readonly last4: string }
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<Ours>()
})

it('the type of official objects names undescribed fields and fields with a value that is not allowed', () => {
  interface Ours {
    readonly id: number
    readonly status: 'paid' | 'given'
    readonly card: { readonly last4: number }
    readonly state: string
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<{ readonly wrong: 'id' | 'status' | 'card' | 'state' }>()
})

it('the type `Official` accepts the fields that a stand-in names as its own', () => {
  interface Ours {
    readonly id: string
    readonly intended: object
  }
  expectTypeOf<Official<Ours, Described, 'intended'>>().toEqualTypeOf<Ours>()
})

it('an object of a stand-in that leaves out a field of every described object is named with that field', () => {
  interface Read {
    readonly id: string
    readonly card: { readonly last4: string } | null
    readonly note?: string
  }
  expectTypeOf<LeftOut<{ readonly id: string }, Read>>().toEqualTypeOf<'card'>()
  expectTypeOf<LeftOut<Read, Read>>().toEqualTypeOf<never>()
})
