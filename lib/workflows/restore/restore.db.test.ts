import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unknownPayments } from '../../modules/unknown-payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { tryAgain } from '../../testing/live-sales.ts'
import * as lost from '../../testing/lost-renewal.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { hold } from '../transfer/hold.ts'

let toTheBeginning: () => Promise<void>
beforeAll(async () => {
  await travelTo(lost.backupAt)
  toTheBeginning = await takeSnapshot()
})

const compare = () => answer(`restore compare --since ${lost.backupAt} --json`)
const steps = (listed: { next: string }[]) => listed.map(({ next }) => next)

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('after the restore of an older backup, at %s', (_title, start) => {
  let provider: LiveProvider
  let shop: lost.LiveShop

  let toTheShop: (() => Promise<void>) | undefined

  beforeEach(async () => {
    await travelTo(lost.backupAt)
    provider = await start()
    provider.reset()
    lost.configureLive(provider)
    if (toTheShop) return toTheShop()
    await toTheBeginning()
    shop = await lost.aLiveShop()
    toTheShop = await takeSnapshot()
  })
  afterEach(() => provider.close())

  const charges = () => provider.payments().filter(({ kind }) => kind === 'on a mandate')
  const subscriptions = async () => (await db().subscriptions.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)

  async function lostRenewal(sale: Parameters<typeof lost.sell>[2] = {}): Promise<() => Promise<void>> {
    await lost.sell(provider, shop, sale)
    const restore = await lost.backup()
    await lost.toRenewal()
    expect(charges()).toHaveLength(sale.plans ?? 1)
    await restore()
    // The provider stores idempotency keys for at most a day.
    provider.forgetKeys()
    return restore
  }

  async function isCorrect(numberOfCharges = 1): Promise<void> {
    expect(charges()).toHaveLength(numberOfCharges)
    expect(new Set(await lost.ordersOf(shop))).toEqual(new Set(['paid']))
    expect(await lost.failures()).toEqual([])
    expect(await brokenInvariants()).toEqual({})
    provider.settlements.settle()
    expect(await lost.differences()).toEqual([])
  }

  it('if the provider has a renewal’s payment that is missing from the restored database, the renewal uses this payment', async () => {
    await lostRenewal()
    const [subscription] = await subscriptions()
    const found = await compare()
    const ref = charges()[0]?.ref
    expect(found).toMatchObject([
      {
        provider: provider.name,
        ref,
        storefrontId: shop.storefrontId,
        amount: '12.20',
        currency: 'EUR',
        status: 'paid',
        step: 'use',
        next: `charge of subscription ${subscription} uses it`,
      },
    ])
    expect(await compare()).toEqual(found)
    await runDueTasks(1000)
    const { id } = await db().payments.findFirstOrThrow({ where: { provider_ref: ref ?? '' } })
    expect(steps(await answer('restore list --json'))).toEqual([`payment ${id} uses it`])
    expect(steps(await compare())).toEqual([`payment ${id} uses it`])
    expect((await isRefused(`restore release --provider ${provider.name} --ref ${ref}`)).message).toContain(
      `${id} uses this payment`,
    )
    await isCorrect()
  })

  it('a renewal that uses a pending direct debit stays unpaid until the debit is paid', async () => {
    await lostRenewal({ paymentMethod: 'ideal' })
    expect(await compare()).toMatchObject([{ status: 'pending', next: expect.stringMatching(/ uses it$/) }])
    await runDueTasks(1000)
    expect(charges()).toMatchObject([{ status: 'pending' }])
    expect((await lost.ordersOf(shop)).sort()).toEqual(['paid', 'pending'])
    provider.pay(charges()[0]?.ref ?? '')
    await travelTo('2027-03-11T11:00:00Z')
    await runDueTasks(1000)
    await isCorrect()
  })

  it('in one batch, two subscriptions on one mandate use two payments that the restored database lacks', async () => {
    await lostRenewal({ plans: 2 })
    await compare()
    await runDueTasks(1000)
    await isCorrect(2)
  })

  it.each([
    ['refunded', (ref: string) => provider.refundByHand(ref)],
    ['refunded in part', (ref: string) => provider.refundByHand(ref, '0.01')],
    ['disputed', (ref: string) => provider.dispute(ref)],
  ])(
    'if the payment that the restored database lacks was %s, the charge waits until an operator releases the payment',
    async (_, returnMoney) => {
      await lostRenewal()
      const ref = charges()[0]?.ref ?? ''
      await compare()
      returnMoney(ref)
      const compared = await compare()
      expect(steps(compared)).toEqual([expect.stringContaining('waits until `restore release`')])
      expect(await answer('restore list --json')).toEqual(compared)
      const requests = provider.requests(ref)
      await runDueTasks(1000)
      expect(provider.requests(ref)).toBe(requests)
      expect(charges()).toHaveLength(1)
      expect(await lost.failures()).toEqual([
        ['subscription.charge', expect.stringContaining('was refunded or disputed')],
      ])
      expect(await unknownPayments(db())).toMatchObject([{ usedBy: null }])
      await answer(`restore release --provider ${provider.name} --ref ${ref} --json`)
      await tryAgain(provider)
      expect(charges()).toHaveLength(2)
      expect(await brokenInvariants()).toEqual({})
    },
  )

  it('"restore compare" and "restore list" require no action if the payment was refunded and no charge follows', async () => {
    const restore = await lost.backup()
    await lost.sell(provider, shop)
    await restore()
    expect(await compare()).toMatchObject([{ step: 'refund' }])
    provider.refundByHand(provider.payments()[0]?.ref ?? '')
    const compared = await compare()
    expect(compared).toMatchObject([{ step: 'nothing', next: 'nothing: the payment was refunded or disputed' }])
    expect(await answer('restore list --json')).toEqual(compared)
  })

  it('a charge in the backup is not requested again if its request was sent after the backup', async () => {
    await lost.sell(provider, shop)
    await lost.toChargesBeforeRequest()
    const restore = await lost.backup(lost.renewalAt)
    await runDueTasks(1000)
    await restore()
    provider.forgetKeys()
    expect(await compare()).toMatchObject([{ next: expect.stringMatching(/ uses it$/) }])
    await runDueTasks(1000)
    await isCorrect()
  })

  it('"restore compare" asks for a refund of a sale made after the backup, and records no payments of unknown storefronts or storefronts on hold', async () => {
    const restore = await lost.backup()
    await lost.sell(provider, shop)
    await restore()
    expect(steps(await compare())).toEqual(['refund it at the provider'])
    expect((await cli(`restore compare --since ${lost.backupAt}`)).stdout).toContain(
      'To refund at the provider, before the service starts: 1.',
    )
    await db().unknown_payments.deleteMany()
    await hold(shop.storefrontId)
    expect(await compare()).toEqual([])
    await toTheBeginning()
    expect(steps(await compare())).toEqual([
      'refund it at the provider, unless another installation has the storefront',
    ])
    expect(await answer('restore list --json')).toEqual([])
  })

  // The behavior in these tests does not depend on the provider, so the tests run with one provider only.
  if (start === liveMollie) {
    it('if a charge and the payment that the restored database lacks have different amounts, the charge waits until the payment is released', async () => {
      await lostRenewal()
      const ref = charges()[0]?.ref ?? ''
      await compare()
      await db().$executeRaw`UPDATE unknown_payments SET amount = amount + 1`
      await runDueTasks(1000)
      expect(charges()).toHaveLength(1)
      expect(await lost.failures()).toEqual([
        [
          'subscription.charge',
          `UnknownPaymentWaits: the charge of 12.20 EUR is not made, because the payment ${ref} at ${provider.name} was made after the restored backup and ` +
            `has the amount 12.21 EUR. If the payment is not refunded yet, refund it at the provider. Then run ` +
            `\`restore release --provider ${provider.name} --ref ${ref}\` (guide: Restore from a backup)`,
        ],
      ])
      expect(await db().recoveries.count()).toBe(0)
      await answer(`restore release --provider ${provider.name} --ref ${ref} --json`)
      expect(steps([await answer(`restore release --provider ${provider.name} --ref ${ref} --json`)])).toEqual([
        'released',
      ])
      await tryAgain(provider)
      expect(charges()).toHaveLength(2)
      expect(await lost.failures()).toEqual([])
      expect((await lost.ordersOf(shop)).sort()).toEqual(['paid', 'paid'])
      // The released payment was not refunded, so the reconciliation still reports it.
      expect(await lost.differences()).toEqual(['payment_unknown'])
      provider.refundByHand(ref, '12.20')
      expect(await lost.differences()).toEqual([])
      const audited = await db().audit_entries.count({ where: { action: 'unknown_payment.release' } })
      expect(audited).toBe(1)
    })

    it('"restore compare" and "restore list" ask for a refund if the missing payment and the coming charge have different amounts', async () => {
      await lost.sell(provider, shop)
      const restore = await lost.backup()
      await db().$executeRaw`UPDATE subscriptions SET quantity = 2`
      await lost.toRenewal()
      await restore()
      const [subscription] = await subscriptions()
      const next = `refund it at the provider, then run \`restore release\`: the charge of subscription ${subscription} has a different amount`
      expect(await compare()).toMatchObject([{ amount: '24.40', step: 'refund', next }])
      const { stdout } = await cli(`restore compare --since ${lost.backupAt}`)
      expect(stdout).toContain('To refund at the provider, before the service starts: 1.')
      await runDueTasks(1000)
      expect(await lost.failures()).toEqual([['subscription.charge', expect.stringContaining('UnknownPaymentWaits')]])
      expect(steps(await answer('restore list --json'))).toEqual([next])
    })

    it('if the amount of the next charge is unknown, "restore compare" says that the charge uses the payment only if the amounts are equal', async () => {
      await lostRenewal()
      await db().$executeRaw`UPDATE subscriptions SET status = 'paused'`
      const [subscription] = await subscriptions()
      expect(await compare()).toMatchObject([
        {
          step: 'depends',
          next: `charge of subscription ${subscription} uses it if the amounts are equal, otherwise the charge waits`,
        },
      ])
    })

    it('"restore list" shows that a charge waits after its task has found a refund of the matching payment', async () => {
      await lostRenewal()
      await compare()
      provider.refundByHand(charges()[0]?.ref ?? '')
      expect(await answer('restore list --json')).toMatchObject([{ step: 'use' }])
      await runDueTasks(1000)
      expect(await answer('restore list --json')).toMatchObject([{ step: 'wait' }])
    })

    it('the command "restore compare" is refused while a provider that charges subscriptions is not connected', async () => {
      const without = { MOLLIE_API_KEY: undefined, STRIPE_API_KEY: undefined }
      configure(without)
      expect((await isRefused(`restore compare --since ${lost.backupAt}`)).message).toContain(
        'No live payment provider is connected.',
      )
      lost.configureLive(provider)
      await lostRenewal()
      configure(without)
      expect((await isRefused(`restore compare --since ${lost.backupAt}`)).message).toContain(
        `These payment providers are not connected: ${provider.name}.`,
      )
      lost.configureLive(provider)
      expect(await compare()).toHaveLength(1)
    })

    it('without the command "restore compare", a renewal that was paid after the backup is charged again', async () => {
      await lostRenewal()
      await runDueTasks(1000)
      expect(charges()).toHaveLength(2)
      expect(await lost.differences()).toEqual(['payment_unknown'])
    })
  }
})
