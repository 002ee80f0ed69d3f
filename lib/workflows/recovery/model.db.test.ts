import { afterEach, expect, it } from 'vitest'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { isLongForm } from '../../testing/amount.ts'
import { Command, type Deed } from '../../testing/model/command.ts'
import * as model from '../../testing/model/operations.ts'
import { aRealShop, asReply, buy, clockTo, deleteEverything } from '../../testing/model/real.ts'
import { later, newWorld, type World } from '../../testing/model/world.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

/**
 * These tests compare the service with the model at each step of a recovery and a minute before it. In each run, a
 * different attempt of the schedule succeeds. In one run, no attempt succeeds. The short form tries the first and the last attempt. The random commands in
 * `subscription-change/model.db.test.ts` rarely reach the later steps.
 */

const start = new Date('2027-01-31T10:00:00Z')
const plan = { name: 'Basic', price: 1000n, interval: 'month', intervalCount: 1, inclusive: false } as const
const basket: model.Basket = {
  items: [{ plan: 0, quantity: 1 }],
  method: 'creditcard',
  address: { country: 'DE', taxId: '' },
  mandate: 'valid',
  viaLink: false,
}

async function storefront() {
  const world = newWorld(start, [{ ...plan, archived: false }])
  const real = await aRealShop(world.plans, start)
  const run = (deed: Deed) =>
    new Command(
      deed.said,
      null,
      () => true,
      () => deed,
    ).run(world, real)
  await run({ said: 'buy', really: () => buy(real, basket), inModel: () => model.buy(world, basket) })
  return {
    world,
    clock: (to: Date) =>
      run({ said: 'clock', really: () => clockTo(real, to), inModel: () => model.advance(world, to) }),
    decline: (reason: FailureReason | null) =>
      run({
        said: 'decline',
        really: () => asReply(declineMandate(real.subscriptionIds[0] ?? '', reason)),
        inModel: () => model.decline(world, soldIn(world), reason),
      }),
  }
}

function soldIn({ subscriptions: [sold] }: World) {
  if (!sold) throw new Error('nothing was sold')
  return sold
}

afterEach(deleteEverything)

it.each<readonly [FailureReason, accepted: number | null, end: string]>([
  ['insufficient_funds', 1, 'paid'],
  ...(isLongForm ? ([2, 3] as const).map((attempt) => ['insufficient_funds', attempt, 'paid'] as const) : []),
  ['insufficient_funds', 4, 'paid'],
  ['insufficient_funds', null, 'canceled'],
  ['card_expired', null, 'canceled'],
])(
  'after the failure %s and a success at attempt %s, the service and the reference model give the order the status %s',
  async (reason, accepted, end) => {
    const { world, clock, decline } = await storefront()
    const subscription = soldIn(world)
    await decline(reason)
    await clock(subscription.renewedUntil ?? start)
    const order = subscription.orders[1]
    expect(order).toMatchObject({ status: 'pending', recovery: { open: true, stepsDone: 1 } })
    for (let next = order?.recovery?.nextStep; order?.recovery?.open && next; next = order.recovery.nextStep) {
      await clock(later(next.at, { seconds: -60 }))
      if (order.recovery.stepsDone === accepted) await decline(null)
      await clock(next.at)
    }
    expect(order).toMatchObject({ status: end, recovery: { open: false } })
  },
)
