import { expectTypeOf, it } from 'vitest'
import type * as stripe from '../../providers/stripe/read.ts'
import type { LeftOut } from './official.ts'
import type { StripeBooks } from './stripe-books.ts'

// These assertions are about types, so only the compiler evaluates them (`npm run check`).

it('the objects of the stand-in for Stripe have every field that the adapter reads', () => {
  type Shown<Name extends keyof StripeBooks> = StripeBooks[Name] extends readonly (infer Each)[] ? Each : never
  expectTypeOf<LeftOut<Shown<'methods'>, stripe.ReadMethod>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'mandates'>, stripe.ReadMandate>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'sessions'>, stripe.ReadSession>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'intents'>, stripe.ReadPaymentIntent>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'intents'>, stripe.ReadSetupIntent>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'charges'>, stripe.ReadCharge>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'refunds'>, stripe.ReadRefund>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'disputes'>, stripe.ReadDispute>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'payouts'>, stripe.ReadPayout>>().toEqualTypeOf<never>()
  expectTypeOf<LeftOut<Shown<'transactions'>, stripe.ReadTransaction>>().toEqualTypeOf<never>()
})
