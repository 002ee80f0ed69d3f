import { expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { read } from '../../testing/email-text.ts'
import { ask, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'

const endsOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => kind !== 'receipt')
    .reverse()
    .map(({ kind, createdAt, text }) => ({ kind, on: createdAt.toISOString().slice(0, 10), text: read(text) }))

test('a cancellation is confirmed once with its end, and the end once it has come', async () => {
  const scenario = await subscriptionScenario()
  await pass(scenario, 'P5D')
  for (let time = 0; time < 2; time++) await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await pass(scenario, 'P30D')
  expect(await endsOf(scenario)).toEqual([
    {
      kind: 'cancellation',
      on: '2027-01-06',
      text: expect.stringContaining('\nEnds on: 1 February 2027 at 00:00 UTC\n'),
    },
    { kind: 'subscription_ended', on: '2027-02-01', text: expect.stringContaining('Nothing more will be charged.') },
  ])
})

test('an immediate end is confirmed at once', async () => {
  const scenario = await subscriptionScenario()
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await pass(scenario, 'P40D')
  expect((await endsOf(scenario)).map(({ kind, on }) => [kind, on])).toEqual([['subscription_ended', '2027-01-01']])
})

test('a cancellation that is withdrawn has no end', async () => {
  const scenario = await subscriptionScenario()
  await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
  await pass(scenario, 'P1D')
  expect((await endsOf(scenario)).map(({ kind }) => kind)).toEqual(['cancellation'])
})
