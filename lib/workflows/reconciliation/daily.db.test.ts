import { expect, it, vi } from 'vitest'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { newest, save } from '../../modules/reconciliations/store.ts'
import { db } from '../../platform/db/db.ts'
import { registry } from '../../providers/registry.ts'
import { cli } from '../../testing/command-line.ts'
import { lastSettlements, reconcileNow, startReconciling } from './daily.ts'

const account = (name: string, booked: () => AsyncIterable<never>) => ({ name, booked }) as unknown as PaymentProvider

function twoAccounts() {
  const away = account('first', () => {
    throw new Error('the provider is away')
  })
  const empty = account('second', async function* () {})
  vi.spyOn(registry, 'connected').mockReturnValue([away, empty])
}

it('a provider account that does not respond does not block the comparison of other accounts', async () => {
  twoAccounts()
  const compared = async () => (await newest(db())).map(({ provider }) => provider)
  const stop = startReconciling()
  try {
    await vi.waitFor(async () => expect(await compared()).toEqual(['second']))
  } finally {
    await stop()
  }
  await db().reconciliations.deleteMany()
  await expect(reconcileNow()).rejects.toThrow('the provider is away')
  expect(await compared()).toEqual(['second'])
})

const at = new Date('2026-12-01T03:05:00Z')
const compared = { payments: 4, refunds: 1, chargebacks: 0, settlements: null, differences: [], finishedAt: at }

it('`reconciliation show` says that the books were never compared, or when they were compared and whether they agree', async () => {
  await db().reconciliations.deleteMany()
  expect(await cli('reconciliation show')).toEqual({
    status: 0,
    stdout: '(none)\n\nThe books were never compared with the books of a live payment provider.\n',
    stderr: '',
  })
  await save(db(), { ...compared, provider: 'mollie' })
  const difference = {
    kind: 'refund_unknown',
    ref: 're_1',
    id: null,
    atProvider: '1.00 EUR, sent',
    ours: null,
  } as const
  await save(db(), { ...compared, provider: 'stripe', differences: [difference] })
  const { status, stdout } = await cli('reconciliation show')
  expect([status, stdout.split('\n').slice(-3)]).toEqual([
    1,
    [
      'mollie: compared at 2026-12-01T03:05:00Z (payments: 4, refunds: 1, chargebacks: 0). The books agree.',
      'stripe: compared at 2026-12-01T03:05:00Z (payments: 4, refunds: 1, chargebacks: 0). Differences: 1.',
      '',
    ],
  ])
})

it('`reconciliation run` prints on stderr the name of the account that it compares', async () => {
  vi.spyOn(registry, 'connected').mockReturnValue([account('second', async function* () {})])
  expect((await cli('reconciliation run')).stderr).toBe('Comparing the books of second.\n')
})

it('`reconciliation settlements` shows amounts without zeros after the cents, and times in whole seconds', async () => {
  await db().reconciliations.deleteMany()
  const sums = { ref: 'stl_1', reference: null, status: 'paid', currency: 'EUR' } as const
  const settlement = {
    ...sums,
    amount: '63.0400',
    revenue: '83.2954',
    costs: '20.2554',
    payments: 1,
    refunds: 0,
    chargebacks: 0,
  }
  const settledAt = '2026-11-30T18:57:56.123Z'
  await save(db(), { ...compared, provider: 'mollie', settlements: [{ ...settlement, settledAt }] })
  expect(await lastSettlements()).toMatchObject([{ amount: '63.04', revenue: '83.2954', costs: '20.2554' }])
  const { stdout } = await cli('reconciliation settlements')
  expect(stdout).toContain('2026-11-30T18:57:56Z')
})
