import { beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '@/lib/kernel/refusal.ts'
import { approveReview, listReviews, rejectReview, startReview } from '@/lib/modules/catalog/operations.ts'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aShop, runDueTasks, type Shop } from '@/lib/testing/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await aShop()
})

const kinds = [
  { kind: 'subscription_plan', path: '/v1/subscription-plans', make: factories.aPlan },
  { kind: 'one_off_product', path: '/v1/one-off-products', make: factories.aProduct },
] as const

const namesOf = async (id: string) =>
  (await db().events.findMany({ where: { entity_id: id }, orderBy: { id: 'asc' } })).map(({ name }) => name)
const objectOf = async (id: string) => {
  const { body } = await db().events.findFirstOrThrow({ where: { entity_id: id }, orderBy: { id: 'desc' } })
  return JSON.parse(body).object
}
/** In test mode, the automatic approval runs after a few seconds. This function runs the approval without the delay. */
async function seconds() {
  await db().tasks.updateMany({ where: { name: { startsWith: 'catalog' } }, data: { run_at: new Date(0) } })
  return runDueTasks()
}

describe.each(kinds)('the API creates and updates a $kind', ({ kind, path, make }) => {
  const at = (key: string) => ({
    get: async (id: string) => (await send(`GET ${path}/${id}`, { key })).body,
    patch: (id: string, body: object) => send(`PATCH ${path}/${id}`, { key, body }),
    archive: (id: string) => send(`POST ${path}/${id}/archive`, { key }),
    unarchive: (id: string) => send(`DELETE ${path}/${id}/archive`, { key }),
    ids: async (query = '') =>
      (await send(`GET ${path}${query}`, { key })).body.data.map(({ id }: { id: string }) => id),
  })
  const name = (what: string) => `${kind}.${what}`

  test('a new plan or product has the sent values, is on sale in test mode, and excludes tax by default', async () => {
    const made = await make(shop.testKey)
    const [body, own] = kind === 'subscription_plan' ? [factories.planBody(), {}] : [factories.productBody(), {}]
    expect(made).toEqual({
      ...body,
      ...own,
      id: expect.stringMatching(new RegExp(`^${kind}_[0-9A-Za-z]{22}$`)),
      resource: kind,
      testmode: true,
      taxBehavior: 'exclusive',
      status: 'active',
      archivedAt: null,
      pendingUpdates: null,
      updateStatus: null,
      createdAt: expect.stringMatching(/Z$/),
      links: { self: { href: `http://billhook.test${path}/${made.id}`, type: 'application/json' } },
    })
    expect(await at(shop.testKey).get(made.id)).toEqual(made)
    expect(await make(shop.testKey, { taxBehavior: 'inclusive' })).toMatchObject({ taxBehavior: 'inclusive' })
    expect(await namesOf(made.id)).toEqual([])
  })

  describe('an update in test mode', () => {
    test('in test mode, an update of a plan or product is first pending and then approved, and emits an event in each state', async () => {
      const { get, patch } = at(shop.testKey)
      const made = await make(shop.testKey)
      const update = { name: 'Renamed', description: made.description, basePrice: factories.price('12.00') }
      const submitted = await patch(made.id, update)
      const pending = {
        pendingUpdates: { name: 'Renamed', basePrice: factories.price('12.00') },
        updateStatus: 'pending',
      }
      expect(submitted).toMatchObject({ status: 200 })
      expect(submitted.body).toEqual({ ...made, ...pending })
      expect(await get(made.id)).toEqual(submitted.body)
      expect(await namesOf(made.id)).toEqual([name('update_submitted')])
      expect(await objectOf(made.id)).toEqual(submitted.body)

      expect(await seconds()).toBe(1)
      const approved = await get(made.id)
      expect(approved).toEqual({ ...made, name: 'Renamed', basePrice: factories.price('12.00') })
      expect(await namesOf(made.id)).toEqual([name('update_submitted'), name('update_approved')])
      expect(await objectOf(made.id)).toEqual(approved)
      expect(await seconds()).toBe(0)
    })

    test('a new update of a plan or product replaces the pending update, and an update that restores the current values withdraws the pending update', async () => {
      const { get, patch } = at(shop.testKey)
      const made = await make(shop.testKey)
      await patch(made.id, { name: 'First', basePrice: factories.price('11.00') })
      const second = await patch(made.id, { description: 'Second' })
      expect(second.body).toEqual({ ...made, pendingUpdates: { description: 'Second' }, updateStatus: 'pending' })
      const cleared = await patch(made.id, {
        name: made.name,
        basePrice: made.basePrice,
        productType: made.productType,
      })
      expect(cleared).toMatchObject({ status: 200, body: made })
      await seconds()
      expect(await get(made.id)).toEqual(made)
      expect(await namesOf(made.id)).toEqual([name('update_submitted'), name('update_submitted')])
    })

    test.each(['   ', '\u00a0\u2003\u3000', '\u200b\u200d\ufeff', '\u007f\u0085\u009f', '\u3164\u3164\u3164'])(
      'a name or description without visible characters is refused: %j',
      async (blank) => {
        const made = await make(shop.testKey)
        const sentence = ['Must have at least one visible character.']
        const refused = { status: 422, body: { errors: { name: sentence, description: sentence } } }
        expect(await at(shop.testKey).patch(made.id, { name: blank, description: blank })).toMatchObject(refused)
        const body = {
          ...(kind === 'subscription_plan' ? factories.planBody() : factories.productBody()),
          name: blank,
          description: blank,
        }
        expect(await send(`POST ${path}`, { key: shop.testKey, body })).toMatchObject(refused)
        expect(await at(shop.testKey).get(made.id)).toEqual(made)
      },
    )

    test('an update of a plan or product ignores taxBehavior, and is refused if it contains no field that can change', async () => {
      const made = await make(shop.testKey)
      for (const body of [{}, { taxBehavior: 'inclusive' }, { status: 'rejected', archivedAt: null, id: 'x' }]) {
        const reply = await at(shop.testKey).patch(made.id, body)
        expect(reply).toMatchObject({ status: 422, body: { errors: { name: ['Send at least one field to change.'] } } })
      }
      await at(shop.testKey).patch(made.id, { name: 'Renamed', taxBehavior: 'inclusive' })
      await seconds()
      expect(await at(shop.testKey).get(made.id)).toEqual({ ...made, name: 'Renamed' })
    })
  })

  describe('in live mode', () => {
    test('a plan or product in live mode is on sale after an operator approves it', async () => {
      const { get } = at(shop.liveKey)
      const made = await make(shop.liveKey)
      expect(made).toMatchObject({ testmode: false, status: 'pending', pendingUpdates: null, updateStatus: null })
      expect((await listReviews()).find(({ id }) => id === made.id)).toMatchObject({
        storefrontId: shop.storefrontId,
        isNew: true,
      })
      expect(await seconds()).toBe(0)
      await approveReview(made.id)
      expect(await get(made.id)).toEqual({ ...made, status: 'active' })
      expect((await listReviews()).some(({ id }) => id === made.id)).toBe(false)
      await expect(approveReview(made.id)).rejects.toThrow(new Refusal('product_not_reviewable'))
    })

    test('a plan or product cannot be changed while an operator reviews it', async () => {
      const { get, patch } = at(shop.liveKey)
      const made = await make(shop.liveKey)
      await approveReview(made.id)
      await patch(made.id, { name: 'Renamed' })
      await startReview(made.id)
      const reviewing = { ...made, status: 'active', pendingUpdates: { name: 'Renamed' }, updateStatus: 'reviewing' }
      expect(await get(made.id)).toEqual(reviewing)
      for (const body of [{ name: 'Again' }, { name: made.name }]) {
        expect(await patch(made.id, body)).toMatchObject({ status: 409, body: { code: 'update_under_review' } })
      }
      expect(await get(made.id)).toEqual(reviewing)
      await approveReview(made.id)
      expect(await get(made.id)).toEqual({ ...made, status: 'active', name: 'Renamed' })
      expect(await namesOf(made.id)).toEqual([name('update_submitted'), name('update_approved')])
      expect((await patch(made.id, { name: 'Again' })).body).toMatchObject({ updateStatus: 'pending' })
    })

    test('a plan or product keeps its values if an update is rejected', async () => {
      const { get, patch } = at(shop.liveKey)
      const made = await make(shop.liveKey)
      await approveReview(made.id)
      await patch(made.id, { name: 'Renamed' })
      await rejectReview(made.id, 'Too bold.')
      expect(await get(made.id)).toEqual({ ...made, status: 'active' })
      expect(await namesOf(made.id)).toEqual([name('update_submitted'), name('update_rejected')])
      expect(await objectOf(made.id)).toEqual(await get(made.id))
    })

    test('a rejected plan or product stays rejected until it is changed and approved', async () => {
      const { get, patch } = at(shop.liveKey)
      const made = await make(shop.liveKey)
      await rejectReview(made.id, 'No such thing.')
      expect(await get(made.id)).toEqual({ ...made, status: 'rejected' })
      const changed = await patch(made.id, { name: 'Better' })
      expect(changed.body).toEqual({ ...made, pendingUpdates: { name: 'Better' }, updateStatus: 'pending' })
      await approveReview(made.id)
      expect(await get(made.id)).toEqual({ ...made, status: 'active', name: 'Better' })
    })
  })

  describe('the archive', () => {
    test('the list omits archived plans and products, and an archived plan or product can be restored', async () => {
      const { get, archive, unarchive, ids } = at(shop.testKey)
      const made = await make(shop.testKey)
      const other = await make(shop.testKey)
      expect(await archive(made.id)).toMatchObject({ status: 204, body: undefined })
      const archived = await get(made.id)
      expect(archived).toEqual({ ...made, archivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) })
      expect(await ids()).toEqual([other.id])
      expect(await ids('?includeArchived=false')).toEqual([other.id])
      expect(await ids('?includeArchived=true')).toEqual([other.id, made.id])

      await send('POST /v1/test-helpers/clock/advance', { key: shop.testKey, body: { by: 'PT1H' } })
      expect((await archive(made.id)).status).toBe(204)
      expect(await get(made.id)).toEqual(archived)
      expect(await unarchive(made.id)).toMatchObject({ status: 200, body: made })
      expect(await unarchive(made.id)).toMatchObject({ status: 200, body: made })
      expect(await ids()).toEqual([other.id, made.id])
      expect(await namesOf(made.id)).toEqual([name('archived'), name('unarchived')])
      expect(await objectOf(made.id)).toEqual(made)
    })

    test('archiving a plan or product needs no review and keeps a pending update', async () => {
      const { get, patch, archive } = at(shop.liveKey)
      const made = await make(shop.liveKey)
      await approveReview(made.id)
      await patch(made.id, { name: 'Renamed' })
      await startReview(made.id)
      expect((await archive(made.id)).status).toBe(204)
      expect(await get(made.id)).toMatchObject({
        status: 'active',
        archivedAt: expect.any(String),
        pendingUpdates: { name: 'Renamed' },
        updateStatus: 'reviewing',
      })
    })
  })
})

describe('the billing interval of a plan', () => {
  const create = (key: string, body: object) =>
    send('POST /v1/subscription-plans', { key, body: factories.planBody(body) })

  test.each([
    ['day', 365],
    ['week', 52],
    ['month', 12],
  ])('a billing interval in the unit %s may have a count of up to %i', async (interval, most) => {
    const good = await create(shop.testKey, { interval, intervalCount: most })
    expect(good).toMatchObject({ status: 201, body: { interval, intervalCount: most } })
    const errors = { intervalCount: [`Must be at most ${most} when interval is "${interval}".`] }
    expect(await create(shop.testKey, { interval, intervalCount: most + 1 })).toMatchObject({
      status: 422,
      body: { errors },
    })
    const patch = await send(`PATCH /v1/subscription-plans/${good.body.id}`, {
      key: shop.testKey,
      body: { intervalCount: most + 1 },
    })
    expect(patch).toMatchObject({ status: 422, body: { errors } })
  })

  test.each([1, 5, 366, 1_000_000])(
    'a yearly billing interval always has the count 1, even if a request sends %i',
    async (intervalCount) => {
      const { status, body } = await create(shop.testKey, { interval: 'year', intervalCount })
      expect({ status, body }).toMatchObject({ status: 201, body: { interval: 'year', intervalCount: 1 } })
      const path = `/v1/subscription-plans/${body.id}`
      const same = await send(`PATCH ${path}`, { key: shop.testKey, body: { interval: 'year', intervalCount } })
      expect(same).toMatchObject({ status: 200, body: { pendingUpdates: null, updateStatus: null } })
    },
  )

  test('a daily billing interval is allowed only in test mode', async () => {
    const errors = {
      interval: ['Must be "week", "month" or "year". The interval "day" is available in test mode only.'],
    }
    expect(await create(shop.liveKey, { interval: 'day' })).toMatchObject({ status: 422, body: { errors } })
    const { id } = await factories.aPlan(shop.liveKey)
    const patch = { key: shop.liveKey, body: { interval: 'day', intervalCount: 1 } }
    expect(await send(`PATCH /v1/subscription-plans/${id}`, patch)).toMatchObject({ status: 422, body: { errors } })
  })

  test('a PATCH of a plan is refused if it has interval but no intervalCount', async () => {
    const { id } = await factories.aPlan(shop.testKey)
    const reply = await send(`PATCH /v1/subscription-plans/${id}`, { key: shop.testKey, body: { interval: 'week' } })
    expect(reply).toMatchObject({
      status: 422,
      body: { errors: { intervalCount: ['This field is required when interval is sent.'] } },
    })
  })

  test('a plan with a subscription keeps its interval unit, but can change its price and interval count', async () => {
    const key = shop.testKey
    const { id } = await factories.aPlan(key)
    const patch = (body: object) => send(`PATCH /v1/subscription-plans/${id}`, { key, body })
    await factories.aCheckout(key, id)
    expect((await patch({ interval: 'week', intervalCount: 1 })).status).toBe(200)
    expect((await patch({ interval: 'month', intervalCount: 1 })).body).toMatchObject({ pendingUpdates: null })
    await factories.pay(key, await factories.aCheckout(key, id))
    const unchanged = await send(`GET /v1/subscription-plans/${id}`, { key })
    expect(await patch({ interval: 'week', intervalCount: 1 })).toMatchObject({
      status: 409,
      body: { code: 'plan_in_use' },
    })
    expect((await send(`GET /v1/subscription-plans/${id}`, { key })).body).toEqual(unchanged.body)
    const allowed = { interval: 'month', intervalCount: 3, basePrice: factories.price('15.00') }
    expect((await patch(allowed)).body).toMatchObject({
      pendingUpdates: { intervalCount: 3, basePrice: factories.price('15.00') },
    })
    await seconds()
    const [subscription] = (await send('GET /v1/subscriptions', { key })).body.data
    expect(subscription).toMatchObject({ basePrice: factories.price('10.00'), intervalCount: 1 })
  })
})
