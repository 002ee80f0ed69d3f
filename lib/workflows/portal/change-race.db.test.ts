import { afterAll, describe, expect, test } from 'vitest'
import { runTask } from '../../platform/jobs/run-task.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { claimReturn } from '../../testing/claim-named.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { type Changeable, changeable, confirmChange, shownChange } from '../../testing/portal-change.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { runDueTasks, stopClock } from '../../testing/shop.ts'
import { clockTo, drainTasks, ordersOf, pass, subscriptionOf } from '../../testing/subscription-scenario.ts'
import { returnDebits } from '../test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const bothOrders = [
  ['the customer first', 0],
  ['the customer last', 1],
] as const

async function race(
  given: Changeable,
  page: Awaited<ReturnType<typeof shownChange>>,
  other: () => Promise<unknown>,
  isLast: number,
): Promise<string> {
  let redirectTo = ''
  const customer = async () => {
    redirectTo = (await confirmChange(given, page))?.redirectTo ?? ''
  }
  const racers: (() => Promise<unknown>)[] = [customer, other]
  const ends = await raceBehind(
    lockOn('subscriptions', given.scenario.id),
    isLast ? racers.reverse() : racers,
    2,
    async () => undefined,
    { inTurn: true },
  )
  for (const end of ends) expect(end.status).toBe('fulfilled')
  await drainTasks()
  return redirectTo
}

const amountsOf = async ({ scenario }: Changeable): Promise<string[]> =>
  (await ordersOf(scenario)).map(({ total }: { total: { value: string } }) => total.value)

describe('concurrent changes of a subscription by the customer', () => {
  test.each(bothOrders)(
    'a customer’s subscription change during a renewal is refused or charged as the page states: %s',
    async (_, isLast) => {
      const given = await changeable()
      const { scenario } = given
      await clockTo(scenario.key, '2027-01-31T23:45:00Z')
      const page = await shownChange(given, { quantity: '5' })
      const shown = page.preview?.dueNow?.total.value
      await advanceWithoutTasks(scenario, { minutes: 30 })
      const next = await race(given, page, runDueTasks, isLast)
      const { quantity, renewedUntil } = await subscriptionOf(scenario)
      expect(renewedUntil).toMatch(/^2027-03-01T/)
      if (next.endsWith('done=changed')) {
        expect(quantity).toBe(5)
        expect(await amountsOf(given)).toEqual(['300.00', shown, '500.00'])
      } else {
        expect([quantity, next]).toEqual([3, expect.stringMatching(/changed=$/)])
        expect(await amountsOf(given)).toEqual(['300.00', '300.00'])
      }
      expect(next.endsWith('done=changed')).toBe(!isLast)
    },
  )

  test.each(bothOrders)(
    'a customer’s subscription change during a merchant’s change is refused or charged as the page states: %s',
    async (_, isLast) => {
      const given = await changeable()
      const { scenario } = given
      const page = await shownChange(given, { quantity: '5' })
      const shown = page.preview?.dueNow?.total.value
      await pass(scenario, 'PT1M')
      const merchant = () =>
        send(`PATCH /v1/subscriptions/${scenario.id}`, {
          key: scenario.key,
          body: { quantity: 7, applyImmediately: true, invoiceImmediately: true },
        })
      const next = await race(given, page, merchant, isLast)
      const amounts = await amountsOf(given)
      expect((await subscriptionOf(scenario)).quantity).toBe(7)
      if (isLast) {
        expect(next).toMatch(/changed=$/)
        expect(amounts).toHaveLength(2)
        expect(amounts).not.toContain(shown)
      } else {
        expect(next).toMatch(/done=changed$/)
        expect(amounts).toHaveLength(3)
        expect(amounts[1]).toBe(shown)
      }
    },
  )

  test.each(bothOrders)(
    'if the bank returns a debit while a customer changes a subscription, the change is refused, or charged as the page states: %s',
    async (_, isLast) => {
      const given = await changeable({ buyer: { paymentMethod: 'ideal' } })
      const { scenario } = given
      await returnDebits(scenario.id)
      await clockTo(scenario.key, '2027-02-03T00:00:00Z')
      const page = await shownChange(given, { quantity: '5' })
      expect(page.block).toBeNull()
      const shown = page.preview?.dueNow?.total.value
      await advanceWithoutTasks(scenario, { days: 5 })
      const sync = await claimReturn()
      const again = await shownChange(given, { quantity: '5' })
      const byName = new Map(jobs.map((job) => [job.name, job]))
      const next = await race(given, again, () => runTask(byName, sync), isLast)
      const amounts = await amountsOf(given)
      if (next.endsWith('done=changed'))
        expect(amounts).toEqual(['300.00', '300.00', again.preview?.dueNow?.total.value])
      else expect(amounts).toEqual(['300.00', '300.00'])
      expect(next.endsWith('done=changed')).toBe(!isLast)
      expect(amounts).not.toContain(shown)
      expect((await shownChange(given, { quantity: '6' })).block).toBe('recovery')
    },
  )

  test('a customer’s subscription change is charged once, even if the form is sent twice or from two tabs', async () => {
    const given = await changeable()
    const [page, otherTab] = [await shownChange(given, { quantity: '5' }), await shownChange(given, { quantity: '5' })]
    const send = (of: typeof page) => async () => (await confirmChange(given, of))?.redirectTo
    const ends = await raceBehind(
      lockOn('subscriptions', given.scenario.id),
      [send(page), send(page), send(otherTab)],
      2,
    )
    const next = ends.map((end) => (end.status === 'fulfilled' ? end.value : `${end.reason}`))
    await drainTasks()
    expect(await amountsOf(given)).toEqual(['300.00', page.preview?.dueNow?.total.value])
    expect(next[0]).toBe(next[1])
    expect(next.filter((each) => each?.endsWith('done=changed')).length).toBeGreaterThan(0)
  })

  test.each(['quantity', 'price'])(
    'if the %s changes in the same second after a change page was shown, only a reloaded form is accepted',
    async (field) => {
      const given = await changeable()
      const { scenario } = given
      await stopClock(scenario.shop)
      const terms = field === 'price' ? { price: price('300.00'), prorate: false } : { quantity: 4 }
      const body = { ...terms, applyImmediately: true }
      const old = await shownChange(given, { quantity: '5' })
      const changed = await send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body })
      expect(changed.status).toBe(200)
      expect((await confirmChange(given, old))?.redirectTo).toMatch(/changed=$/)
      const page = await shownChange(given, { quantity: '5' })
      expect((await confirmChange(given, page))?.redirectTo).toMatch(/done=changed$/)
      expect(await amountsOf(given)).toEqual(['300.00', page.preview?.dueNow?.total.value])
    },
  )
})
