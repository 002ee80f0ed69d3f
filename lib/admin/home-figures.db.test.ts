import { beforeAll, describe, expect, test, vi } from 'vitest'
import { closeFigures } from '../modules/figures/operations.ts'
import { anOperator } from '../testing/operator.ts'
import { place } from '../testing/storefront-pages.ts'
import { pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

/** `between.reads` runs after the page has read the last closed day, and before the page reads the stored figures. */
const between = vi.hoisted(() => ({ reads: async (): Promise<void> => undefined }))
vi.mock('../modules/figures/store.ts', async (original) => {
  const store = await original<typeof import('../modules/figures/store.ts')>()
  return {
    ...store,
    knownFigures: async (...sent: Parameters<typeof store.knownFigures>) => {
      const known = await store.knownFigures(...sent)
      await between.reads()
      return known
    },
  }
})

let cookies: string | null
beforeAll(async () => {
  ;({ cookies } = await anOperator('figures@example.com'))
})

describe('a day that the job closes during the load of the home page', () => {
  const figuresOf = async (scenario: Scenario, betweenReads = async (): Promise<void> => undefined) => {
    between.reads = betweenReads
    return (await admin.storefrontOverview(place(scenario), {}, cookies))?.figures
  }

  test('the sales of the first day are counted once, even if the figures job closes the day while the home page loads', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-01T10:00:00Z' })
    await pass(scenario, 'P1D')
    const before = await figuresOf(scenario)
    expect(before?.netRevenue.value).toEqual({ value: '100.00', currency: 'EUR' })
    expect(await figuresOf(scenario, () => closeFigures(scenario.shop.scope))).toEqual(before)
    expect(await figuresOf(scenario)).toEqual(before)
  })

  test('the sales of a later day are counted once, even if the figures job closes the day while the home page loads', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-01T10:00:00Z' })
    await pass(scenario, 'P31D')
    await closeFigures(scenario.shop.scope)
    await pass(scenario, 'P1D')
    const before = await figuresOf(scenario)
    expect(before?.netRevenue.value).toEqual({ value: '100.00', currency: 'EUR' })
    expect(await figuresOf(scenario, () => closeFigures(scenario.shop.scope))).toEqual(before)
    expect(await figuresOf(scenario)).toEqual(before)
  })

  test('if the stored figures end before the shown range, the home page shows the last stored MRR, even while the figures job runs', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-01T10:00:00Z' })
    await pass(scenario, 'P1D')
    await closeFigures(scenario.shop.scope)
    await pass(scenario, 'P3M')
    const before = await figuresOf(scenario)
    expect(before).toMatchObject({ mrr: { value: { value: '100.00' } }, completeUntil: '2027-01-01' })
    expect((await figuresOf(scenario, () => closeFigures(scenario.shop.scope)))?.mrr).toEqual(before?.mrr)
  })

  test('the tiles have no comparison with the previous range until the figures are complete', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-01T10:00:00Z' })
    await pass(scenario, 'P45D')
    await closeFigures(scenario.shop.scope)
    await pass(scenario, 'P30D')
    const changes = async () => {
      const { completeUntil, netRevenue, mrr, subscribers, churn } = (await figuresOf(scenario)) ?? expect.fail()
      return [completeUntil, ...[netRevenue, mrr, subscribers, churn].map(({ change }) => change)]
    }
    expect(await changes()).toEqual(['2027-02-14', null, null, null, null])
    await closeFigures(scenario.shop.scope)
    expect(await changes()).toEqual([null, 0, 0, 0, null])
  })
})
