import { afterAll, beforeAll, expect, it } from 'vitest'
import { approveReview } from '../../modules/catalog/operations.ts'
import { changeAccount } from '../../modules/payouts/accounts.ts'
import { exportPayouts } from '../../modules/payouts/export.ts'
import { movePayoutsTyped, requestPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { answer, isRefused } from '../../testing/command-line.ts'
import * as stock from '../../testing/factories.ts'
import * as installations from '../../testing/installations.ts'
import {
  anInstallation,
  brokenIn,
  contentsOf,
  first,
  type Installation,
  transferFolder,
} from '../../testing/installations.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

const { exporting, importing } = transferFolder()
let mollie: LiveProvider
let shops: { moves: Shop; stays: Shop; alsoMoves: Shop }

const workIn = (installation: Installation) =>
  installations.workIn(installation, {
    MOLLIE_API_KEY: 'live_transfertransfer',
    MOLLIE_API_BASE: mollie.url,
    PAYOUT_HOLD_DAYS: '0',
  })

async function sell({ liveKey }: Shop): Promise<{ id: string; invoiceNumber: string }> {
  const { id } = await stock.aPlan(liveKey, { basePrice: stock.price('10.00') })
  await approveReview(id)
  const checkout = await stock.aCheckout(liveKey, id)
  await submitCheckout(
    tokenOf(checkout.links.checkoutUrl.href),
    buyerForm({ email: `${checkout.id}@example.com` }),
    germanVisitor,
  )
  mollie.pay(mollie.payments().findLast(({ kind }) => kind === 'with a mandate')?.ref ?? '')
  const { body } = mollie.noticeOf(mollie.payments().at(-1)?.ref ?? '')
  expect(body).toContain('tr_')
  await db().$executeRaw`UPDATE tasks SET run_at = now() WHERE name = 'payment.sync'`
  const { syncWithProvider } = await import('../../testing/sync-payment.ts')
  const payment = await db().payments.findFirstOrThrow({ where: { checkout_id: checkout.id } })
  await syncWithProvider({ storefrontId: payment.storefront_id, testmode: false }, payment.provider_ref ?? '')
  await runDueTasks()
  const [order] = (await get(liveKey, '/v1/orders')).data
  return order
}
const number = (n: number) => `INV-${new Date().getUTCFullYear()}-${String(n).padStart(6, '0')}`
const series = () => db().invoice_series.findMany({ where: { scope: 'live' } })

beforeAll(async () => {
  mollie = await liveMollie({ apiKey: 'live_transfertransfer' })
  await workIn(first)
  mollie.reset()
  const [moves, stays, alsoMoves] = [
    await aShop({ name: 'Moves' }),
    await aShop({ name: 'Stays' }),
    await aShop({ name: 'Also' }),
  ]
  shops = { moves, stays, alsoMoves }
  for (const [n, shop] of [moves, stays, moves, alsoMoves, stays].entries())
    expect((await sell(shop)).invoiceNumber).toBe(number(n + 1))
})
afterAll(() => mollie.close())

it('a storefront cannot be put on hold until the payouts in a bank file are marked as paid or returned', async () => {
  const tenant = { storefrontId: shops.moves.storefrontId, testmode: false }
  await changeAccount(tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
  await db().$executeRaw`UPDATE payout_accounts SET valid_from = created_at`
  await requestPayout(tenant, { amount: '2.00' })
  const { batch } = await exportPayouts({ testmode: false, storefrontId: null })
  expect((await isRefused(exporting(shops.moves.storefrontId, 'early', 'move'))).message).toContain('`payout mark`')
  await workIn(first)
  await movePayoutsTyped({ batchId: batch.id }, 'confirm')
  await requestPayout(tenant, { amount: '1.00' })
  await answer(`${exporting(shops.moves.storefrontId, 'moves', 'move')} --json`)
  await workIn(first)
  await expect(exportPayouts({ testmode: false, storefrontId: null })).rejects.toMatchObject({
    on: { payouts: ['There is no requested payout.'] },
  })
  await answer(`${exporting(shops.alsoMoves.storefrontId, 'also', 'move')} --json`)
})

it('imported documents keep their numbers, and the next number follows the highest number of either installation', async () => {
  const there = await anInstallation()
  await workIn(there)
  await answer(`${importing('moves')} --json`)
  await workIn(there)
  expect(await brokenIn(there)).toEqual([])
  const name = number(0).slice(0, -7)
  expect(await series()).toEqual([{ scope: 'live', name, last: 5n, elsewhere: 3n }])
  await answer(`storefront release --storefront ${shops.moves.storefrontId} --json`)
  await workIn(there)
  expect((await sell(shops.moves)).invoiceNumber).toBe(number(6))
  expect(await brokenIn(there)).toEqual([])
  await answer(`${importing('also')} --json`)
  await workIn(there)
  expect(await series()).toEqual([{ scope: 'live', name, last: 6n, elsewhere: 2n }])
  expect(await brokenIn(there)).toEqual([])
  // This installation exports the payout that was requested before the move.
  const { batch } = await exportPayouts({ testmode: false, storefrontId: null })
  expect(batch).toMatchObject({ count: 1, total: 100n })
  // The content of the first installation's bank file was not imported, so a second export of this file is refused.
  const [old] = await db().payout_batches.findMany({ orderBy: { id: 'asc' } })
  expect(old).toMatchObject({ count: 1, total: 200n })
  expect((await isRefused(`payout export --mode live --batch ${old?.id} --out /tmp/never.xml`)).message).toContain(
    'Mark its payouts',
  )
})

it('the import of a document is refused if its number already exists', async () => {
  const there = await anInstallation()
  await workIn(there)
  const shop = await aShop()
  expect((await sell(shop)).invoiceNumber).toBe(number(1))
  const before = await contentsOf(there)
  expect((await isRefused(importing('moves'))).message).toBe(
    '--in: This installation already contains data of the file: a row of "orders" ' +
      '(orders_invoice_scope_invoice_number_key).',
  )
  expect(await contentsOf(there)).toEqual(before)
})
