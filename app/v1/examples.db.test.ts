import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { db } from '@/lib/platform/db/db.ts'
import { examplesFile, type Recorder, recorderOf } from '@/lib/testing/example-calls.ts'
import { tellStory } from '@/lib/testing/example-story.ts'
import { shapeOf, steadyValues } from '@/lib/testing/example-values.ts'
import { aReceiver } from '@/lib/testing/receiver.ts'
import { aShop } from '@/lib/testing/shop.ts'
import { endpoints } from './endpoints.ts'
import { webhooks } from './webhooks.ts'

interface Recorded {
  readonly calls: Record<string, unknown>
  readonly webhooks: Record<string, unknown>
}

let recorder: Recorder
let now: Recorded
beforeAll(async () => {
  const receiver = await aReceiver()
  const shop = await aShop({ at: '2027-01-04T09:00:00Z' })
  recorder = recorderOf(shop.testKey)
  await tellStory(recorder, receiver.url)
  const rows = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })
  const payloads = rows.map(({ name, body }) => [name, JSON.parse(body)] as const)
  const setup = ['webhook.setup', receiver.requests[0]?.body] as const
  // The reversed list keeps the first payload of each event, because a later entry overwrites an earlier entry.
  const sent = Object.fromEntries([...payloads, setup].toReversed())
  const addresses = { 'http://billhook.test': 'https://pay.example', [receiver.url]: 'https://shop.example/webhooks' }
  const ordered = Object.fromEntries(webhooks.flatMap(({ name }) => (sent[name] ? [[name, sent[name]]] : [])))
  now = steadyValues(addresses)({ calls: recorder.calls, webhooks: ordered }) as Recorded
  await receiver.close()
  if (process.env.UPDATE_EXAMPLES) writeFileSync(examplesFile, `${JSON.stringify(now, null, 2)}\n`)
})

it('every operation of the API has a recorded example', () => {
  const missing = endpoints.map(({ id }) => id).filter((id) => !(id in recorder.calls))
  expect(missing, 'call these operations in lib/testing/example-story.ts, then run `npm run examples`').toEqual([])
})

it('every event has a recorded payload', () => {
  const missing = webhooks.map(({ name }) => name).filter((name) => !(name in now.webhooks))
  expect(missing, 'make these events happen in lib/testing/example-story.ts, then run `npm run examples`').toEqual([])
})

it('the recorded examples have the same fields and types as the current requests, responses, and event payloads', () => {
  const file = JSON.parse(readFileSync(examplesFile, 'utf8'))
  expect(shapeOf(now), 'run `npm run examples`').toEqual(shapeOf(file))
})
