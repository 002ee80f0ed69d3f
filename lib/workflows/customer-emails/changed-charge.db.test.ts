import { describe, expect, test } from 'vitest'
import { listEmails, switchKind } from '../../modules/emails/operations.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { ask, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { pauseTyped, unpauseTyped } from '../subscription-change/operations.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

const german = { buyer: { country: 'DE', taxId: '' } } as const
const yearly = () => subscriptionScenario({ ...german, plan: { interval: 'year' } })
const monthly = (more: object = {}) => subscriptionScenario({ ...german, ...more })

const change = async (scenario: Scenario, body: object) => {
  const { status, body: answer } = await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)
  expect(status, JSON.stringify(answer)).toBe(200)
}
const emailsOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'renewal_notice').reverse()
const said = async (scenario: Scenario) => (await emailsOf(scenario)).map(({ text }) => read(text).split('\n\n')[2])
const dayOf = async (scenario: Scenario) =>
  (await emailsOf(scenario)).map(({ createdAt }) => createdAt.toISOString().slice(0, 10))

const first = 'Your subscription Pro at Lumen Software renews on 1 January 2028. €119.00 is then charged.'
const changed = (to: string, from: string) =>
  `The next charge for Pro at Lumen Software has changed: ${to}. Until now, it was ${from}.`

describe('a change after the notice of a renewal', () => {
  test('after the renewal notice was sent, a subscription change and the reversal of the change are each announced immediately', async () => {
    const scenario = await yearly()
    await pass(scenario, 'P340D')
    await change(scenario, { price: price('500.00') })
    await change(scenario, { price: price('500.00') })
    const risen = changed('€595.00 on 1 January 2028', '€119.00 on 1 January 2028')
    expect(await said(scenario)).toEqual([first, risen])
    const [, email] = await emailsOf(scenario)
    expect(read(email?.subject ?? '')).toBe('Pro: the next charge has changed')
    expect(read(email?.text ?? '')).toMatch(/Price: €595\.00 every year, including tax\n/)
    await change(scenario, { price: price('100.00') })
    const back = changed('€119.00 on 1 January 2028', '€595.00 on 1 January 2028')
    expect(await said(scenario)).toEqual([first, risen, back])
    await pass(scenario, 'P30D')
    expect(await said(scenario)).toEqual([first, risen, back])
    expect(await brokenInvariants()).toEqual({})
  })

  test('a change of a monthly subscription to a yearly plan causes an email with the new charge', async () => {
    const scenario = await monthly()
    const plan = (
      await send('POST /v1/subscription-plans', {
        key: scenario.key,
        body: {
          name: 'Yearly',
          description: 'All features',
          taxBehavior: 'exclusive',
          productType: 'saas',
          basePrice: price('1000.00'),
          interval: 'year',
          intervalCount: 1,
        },
      })
    ).body
    await pass(scenario, 'PT1M')
    await change(scenario, { subscriptionPlanId: plan.id })
    expect(await said(scenario)).toEqual([changed('€1,190.00 on 1 February 2027', '€119.00 on 1 February 2027')])
    const [email] = await emailsOf(scenario)
    expect(read(email?.text ?? '')).toMatch(/Yearly\nPrice: €1,190\.00 every year, including tax\n/)
  })

  test('a subscription change before the renewal notice is not announced, because the notice has the new amount', async () => {
    const scenario = await yearly()
    await change(scenario, { price: price('500.00') })
    await pass(scenario, 'P340D')
    expect(await said(scenario)).toEqual([first.replace('€119.00', '€595.00')])
    const [email] = await emailsOf(scenario)
    expect(read(email?.text ?? '')).toMatch(/Price: €595\.00 every year, including tax\n/)
  })

  test('the cancellation of a subscription with an announced change causes no email about the next charge', async () => {
    const scenario = await yearly()
    await pass(scenario, 'P340D')
    await change(scenario, { price: price('500.00') })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await said(scenario)).toHaveLength(2)
  })

  test('concurrent requests for the same subscription change cause one announcement', async () => {
    const scenario = await yearly()
    await pass(scenario, 'P340D')
    await Promise.all([1, 2, 3].map(() => change(scenario, { price: price('500.00') })))
    expect(await said(scenario)).toHaveLength(2)
  })
})

describe('a change of a subscription with a short interval', () => {
  test('a scheduled change of a monthly subscription is announced, and the renewal is billed as announced', async () => {
    const scenario = await monthly()
    await pass(scenario, 'P10D')
    await change(scenario, { price: price('500.00') })
    expect(await dayOf(scenario)).toEqual(['2027-01-11'])
    expect(await said(scenario)).toEqual([changed('€595.00 on 1 February 2027', '€119.00 on 1 February 2027')])
    await pass(scenario, 'P25D')
    const [receipt] = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'receipt')
    expect(read(receipt?.text ?? '')).toContain('We have received your payment of €595.00 for Pro')
    expect(await dayOf(scenario)).toHaveLength(1)
  })

  test('an immediately billed change of a monthly subscription causes no announcement of the next charge', async () => {
    const scenario = await monthly()
    await pass(scenario, 'P10D')
    await change(scenario, { price: price('500.00'), applyImmediately: true, invoiceImmediately: true })
    await pass(scenario, 'PT1H')
    expect(await dayOf(scenario)).toEqual([])
  })

  test('a subscription change with a deferred proration is announced with the prorated amount', async () => {
    const scenario = await monthly()
    await change(scenario, { quantity: 2, applyImmediately: true })
    expect(await said(scenario)).toEqual([changed('€357.00 on 1 February 2027', '€119.00 on 1 February 2027')])
  })

  test('a subscription change is announced unless the next direct debit is due within two days', async () => {
    const scenario = await monthly({ buyer: { ...german.buyer, paymentMethod: 'ideal' } })
    await pass(scenario, 'P30D')
    await change(scenario, { price: price('500.00') })
    expect(await dayOf(scenario)).toEqual([])
    await pass(scenario, 'P10D')
    await change(scenario, { price: price('700.00') })
    expect(await dayOf(scenario)).toEqual(['2027-02-10'])
  })

  test('a subscription change is announced if it moves a direct debit into the next two days', async () => {
    const buyer = { ...german.buyer, paymentMethod: 'ideal' }
    const scenario = await subscriptionScenario({ buyer, plan: { interval: 'week' } })
    await pass(scenario, 'PT12H')
    await change(scenario, { quantity: 9, applyImmediately: true, anchor: '2027-01-03' })
    expect(await said(scenario)).toEqual([
      expect.stringMatching(/ on 3 January 2027\. Until now, it was €119\.00 on 8 January 2027\.$/),
    ])
  })
})

describe('a new end of a trial', () => {
  test('a new end of a trial is announced immediately if the notice of the old end was sent', async () => {
    const scenario = await monthly({ item: { trialDays: 30 } })
    await pass(scenario, 'P25D')
    await change(scenario, { quantity: 1, trialUntil: '2027-02-10T00:00:00Z' })
    expect(await said(scenario)).toEqual([changed('€119.00 on 10 February 2027', '€119.00 on 31 January 2027')])
  })

  test('if the price changes shortly before the trial notice is due, only the notice announces the new price', async () => {
    const scenario = await monthly({ item: { trialDays: 30 } })
    await pass(scenario, 'P22DT12H')
    await change(scenario, { price: price('500.00') })
    await pass(scenario, 'P1D')
    expect(await said(scenario)).toEqual([])
    const notices = (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'trial_ending')
    expect(notices.map(({ text }) => read(text))).toEqual([expect.stringContaining('€595.00 is charged')])
  })

  test('a new end of a trial is announced only by the regular notice if no notice was sent before', async () => {
    const scenario = await monthly({ item: { trialDays: 30 } })
    await pass(scenario, 'P10D')
    await change(scenario, { quantity: 1, trialUntil: '2027-02-10T00:00:00Z' })
    const notices = async () =>
      (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'trial_ending')
    await pass(scenario, 'P22D')
    expect(await notices()).toEqual([])
    await pass(scenario, 'P6D')
    expect((await notices()).map(({ text }) => read(text).split('\n\n')[2])).toEqual([
      'Your free trial of Pro at Lumen Software ends on 10 February 2027. Your subscription then begins, and €119.00 is charged.',
    ])
    expect(await said(scenario)).toEqual([])
  })
})

describe('a canceled subscription that is resumed', () => {
  const resumed = async (scenario: Scenario) => {
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect((await ask(scenario, 'POST /v1/subscriptions/{id}/resume')).status).toBe(200)
  }

  test('if a cancellation discards an announced change, resuming the subscription causes an email that states the next charge', async () => {
    const scenario = await monthly()
    await pass(scenario, 'P10D')
    await change(scenario, { price: price('50.00') })
    await resumed(scenario)
    expect(await said(scenario)).toEqual([
      changed('€59.50 on 1 February 2027', '€119.00 on 1 February 2027'),
      'Your subscription Pro at Lumen Software renews on 1 February 2027. €119.00 is then charged.',
    ])
    expect(await brokenInvariants()).toEqual({})
  })

  test('after a canceled trial is resumed, an email states the first charge', async () => {
    const scenario = await monthly({ item: { trialDays: 30 } })
    await pass(scenario, 'P25D')
    await resumed(scenario)
    expect(await said(scenario)).toEqual([
      'Your free trial of Pro at Lumen Software ends on 31 January 2027. Your subscription then begins, and €119.00 is charged.',
    ])
  })

  test('resuming a canceled subscription causes no email if the regular notice of the charge follows', async () => {
    const scenario = await yearly()
    await change(scenario, { price: price('50.00') })
    await resumed(scenario)
    expect(await said(scenario)).toEqual([])
    await pass(scenario, 'P340D')
    expect(await said(scenario)).toEqual([first])
  })
})

describe('the end of a pause in a paid period', () => {
  const paused = async (scenario: Scenario, meanwhile: () => Promise<unknown>) => {
    await pauseTyped(scenario.id)
    await meanwhile()
    await unpauseTyped(scenario.id)
  }

  test('after a pause of a monthly subscription, an email states the next charge, including a price change made during the pause', async () => {
    const scenario = await monthly()
    await paused(scenario, async () => {
      await change(scenario, { price: price('500.00') })
      await pass(scenario, 'P20D')
    })
    expect(await said(scenario)).toEqual([
      'Your subscription Pro at Lumen Software renews on 1 February 2027. €595.00 is then charged.',
    ])
    expect(await brokenInvariants()).toEqual({})
  })

  test('after a pause of a yearly subscription, an email states the next charge only if the regular notice was due during the pause', async () => {
    const scenario = await yearly()
    await pass(scenario, 'P100D')
    await paused(scenario, () => pass(scenario, 'P1D'))
    expect(await said(scenario)).toEqual([])
    await pass(scenario, 'P200D')
    await paused(scenario, () => pass(scenario, 'P50D'))
    expect(await said(scenario)).toEqual([first])
  })

  test('the end of a pause announces a direct debit and its mandate, even on the day before the debit', async () => {
    const scenario = await monthly({ buyer: { ...german.buyer, paymentMethod: 'ideal' } })
    await pass(scenario, 'P20D')
    await paused(scenario, () => pass(scenario, 'P10D'))
    await pass(scenario, 'P2D')
    expect(await dayOf(scenario)).toEqual(['2027-01-31'])
    const [email] = await emailsOf(scenario)
    expect(email?.text).toMatch(/\nMandate reference: M/)
  })
})

describe('a change during an open recovery', () => {
  const receipts = async ({ shop }: Scenario) =>
    (await listEmails(shop.storefrontId))
      .filter(({ kind }) => kind === 'payment_recovered')
      .map(({ text }) => read(text))
  const declined = async () => {
    const scenario = await monthly({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P8D')
    return scenario
  }
  const recover = async (scenario: Scenario) => {
    await declineMandate(scenario.id, null)
    await pass(scenario, 'P3D')
  }

  test.each([
    ['a change of the price', (scenario: Scenario) => change(scenario, { price: price('500.00') }), '€595.00'],
    [
      'a cancellation and a resumption',
      async (scenario: Scenario) => {
        await ask(scenario, 'DELETE /v1/subscriptions/{id}')
        await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
      },
      '€119.00',
    ],
    [
      'a pause that ends',
      async (scenario: Scenario) => {
        await pauseTyped(scenario.id)
        await unpauseTyped(scenario.id)
      },
      '€119.00',
    ],
  ])(
    'during the recovery of an unpaid renewal, the next charge is stated only in the receipt, even after %s',
    async (_, act, total) => {
      const scenario = await declined()
      await act(scenario)
      expect(await said(scenario)).toEqual([])
      await recover(scenario)
      const [text = '', ...more] = await receipts(scenario)
      expect(more).toEqual([])
      expect(text).toContain(`Next charge: ${total} on 15 January 2027`)
      expect(await brokenInvariants()).toEqual({})
    },
  )

  test('during a recovery that ends before the next charge, a subscription change is announced immediately', async () => {
    const scenario = await monthly()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P32D')
    await change(scenario, { price: price('500.00') })
    expect(await said(scenario)).toEqual([changed('€595.00 on 1 March 2027', '€119.00 on 1 March 2027')])
  })
})

describe('a change in a trial without reminders', () => {
  const trial = async () => {
    const scenario = await monthly({ item: { trialDays: 30 } })
    await switchKind(scenario.shop.storefrontId, 'trial_ending', false)
    await pass(scenario, 'P10D')
    return scenario
  }

  test('if trial reminders are disabled, a change of the first charge is announced immediately', async () => {
    const scenario = await trial()
    await change(scenario, { price: price('500.00') })
    expect(await said(scenario)).toEqual([changed('€595.00 on 31 January 2027', '€119.00 on 31 January 2027')])
    await change(scenario, { quantity: 1, trialUntil: '2027-01-20T00:00:00Z' })
    expect((await said(scenario)).at(-1)).toBe(changed('€595.00 on 20 January 2027', '€595.00 on 31 January 2027'))
  })

  test('if trial reminders are disabled, each change of a direct debit’s date is announced immediately, before and after the debit notice', async () => {
    const scenario = await monthly({
      item: { trialDays: 30 },
      buyer: { ...german.buyer, paymentMethod: 'ideal' },
    })
    await switchKind(scenario.shop.storefrontId, 'trial_ending', false)
    const debits = async () =>
      (await listEmails(scenario.shop.storefrontId)).filter(({ kind }) => kind === 'debit_notice')
    await pass(scenario, 'P10D')
    await change(scenario, { quantity: 1, trialUntil: '2027-01-25T00:00:00Z' })
    const first = changed('€119.00 on 25 January 2027', '€119.00 on 31 January 2027')
    expect(await said(scenario)).toEqual([first])
    expect(await debits()).toEqual([])
    await pass(scenario, 'P12DT14H')
    expect(await debits()).toHaveLength(1)
    await change(scenario, { quantity: 1, trialUntil: '2027-01-24T12:00:00Z' })
    const second = changed('€119.00 on 24 January 2027', '€119.00 on 25 January 2027')
    expect(await said(scenario)).toEqual([first, second])
    await pass(scenario, 'P2D')
    expect(await debits()).toHaveLength(1)
  })

  test('if trial reminders are disabled, resuming a canceled trial causes an immediate email with the first charge', async () => {
    const scenario = await trial()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
    expect(await said(scenario)).toEqual([
      'Your free trial of Pro at Lumen Software ends on 31 January 2027. Your subscription then begins, and €119.00 is charged.',
    ])
  })
})

test('an announced direct debit is announced again if its date moves within the next two days', async () => {
  const scenario = await subscriptionScenario({
    buyer: { country: 'DE', taxId: '', paymentMethod: 'ideal' },
    plan: { interval: 'week' },
  })
  await pass(scenario, 'P6DT14H')
  await change(scenario, { quantity: 9, applyImmediately: true, anchor: '2027-01-09', prorate: false })
  expect(await said(scenario)).toEqual([changed('€1,071.00 on 9 January 2027', '€119.00 on 8 January 2027')])
})
