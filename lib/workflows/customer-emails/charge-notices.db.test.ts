import { describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { ask, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { pauseTyped } from '../subscription-change/operations.ts'

const breakable = (text: string) => text.replaceAll('\u00a0', ' ')
const noticesOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => kind === 'trial_ending' || kind === 'renewal_notice')
    .reverse()
    .map(({ kind, createdAt, subject }) => [kind, createdAt.toISOString().slice(0, 10), breakable(subject)])

const trial = (trialDays: number) => subscriptionScenario({ item: { trialDays } })

describe('the notice of the end of a trial', () => {
  test('the end of a trial is announced a week before and again a day before', async () => {
    const scenario = await trial(30)
    await pass(scenario, 'P40D')
    const subject = 'Your free trial of Pro ends on 31 January 2027'
    expect(await noticesOf(scenario)).toEqual([
      ['trial_ending', '2027-01-24', subject],
      ['trial_ending', '2027-01-30', subject],
    ])
    expect(await brokenInvariants()).toEqual({})
  })

  test('the end of a trial of eight days is announced only a day before', async () => {
    const scenario = await trial(8)
    await pass(scenario, 'P9D')
    expect((await noticesOf(scenario)).map(([, on]) => on)).toEqual(['2027-01-08'])
  })

  test('the end of a canceled trial is announced only after the trial is resumed', async () => {
    const scenario = await trial(30)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P24D')
    expect(await noticesOf(scenario)).toEqual([])
    await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
    await pass(scenario, 'P5D')
    // The first email is about the resumption, which happened after the time of the seven-day notice.
    expect((await noticesOf(scenario)).map(([kind, on]) => [kind, on])).toEqual([
      ['renewal_notice', '2027-01-25'],
      ['trial_ending', '2027-01-30'],
    ])
  })

  test('a changed end of a trial is announced with its new date', async () => {
    const scenario = await trial(10)
    const moved = await ask(scenario, 'PATCH /v1/subscriptions/{id}', {
      quantity: 1,
      trialUntil: '2027-02-10T00:00:00Z',
    })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    await pass(scenario, 'P45D')
    expect((await noticesOf(scenario)).map(([, on]) => on)).toEqual(['2027-02-03', '2027-02-09'])
  })

  test('the end of a trial is not announced if the plan costs nothing', async () => {
    const scenario = await subscriptionScenario({
      item: { trialDays: 30 },
      plan: { basePrice: { value: '0.00', currency: 'EUR' } },
    })
    await pass(scenario, 'P29DT1H')
    expect(await noticesOf(scenario)).toEqual([])
  })
})

describe('the notice of a yearly renewal', () => {
  test('each yearly renewal is announced thirty days in advance', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'year' } })
    await pass(scenario, 'P2Y')
    expect(await noticesOf(scenario)).toEqual([
      ['renewal_notice', '2027-12-02', 'Pro renews on 1 January 2028'],
      ['renewal_notice', '2028-12-02', 'Pro renews on 1 January 2029'],
    ])
  })

  test('the renewal of a paused subscription is not announced', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'year' } })
    await pauseTyped(scenario.id)
    await pass(scenario, 'P340D')
    expect(await noticesOf(scenario)).toEqual([])
  })
})
