import { expectTypeOf, it } from 'vitest'
import type { Official } from './official.ts'

/** What an official description says of an object. The compiler runs these tests (`npm run check`). */
interface Described {
  readonly id: string
  readonly status: 'open' | 'paid'
  readonly card: { readonly last4: string; readonly brand: string | null } | null
}

it('takes an object that shows a part of what is described', () => {
  interface Ours {
    readonly id: string
    readonly status: 'paid'
    readonly card: { readonly last4: string }
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<Ours>()
})

it('names the fields that the description lacks, and fields with a value that it does not allow', () => {
  interface Ours {
    readonly id: number
    readonly status: 'paid' | 'given'
    readonly card: { readonly last4: number }
    readonly state: string
  }
  expectTypeOf<Official<Ours, Described>>().toEqualTypeOf<{ readonly wrong: 'id' | 'status' | 'card' | 'state' }>()
})

it('leaves out what a stand-in keeps for itself', () => {
  interface Ours {
    readonly id: string
    readonly intended: object
  }
  expectTypeOf<Official<Ours, Described, 'intended'>>().toEqualTypeOf<Ours>()
})
