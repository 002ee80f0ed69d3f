import { expect, it } from 'vitest'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, nameTaxId } from '../../testing/money-back.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import { createFull } from '../../workflows/refund/operations.ts'
import { createPayout } from '../payouts/operations.ts'
import { statementCsv, statementRows } from './statement.ts'

const closingOf = (rows: Awaited<ReturnType<typeof statementRows>>) => rows.find(({ item }) => item === 'closing')
const openingOf = (rows: Awaited<ReturnType<typeof statementRows>>) => rows.find(({ item }) => item === 'opening')

it('the opening balance of each statement equals the closing balance of the previous statement', async () => {
  const sale = await aSale({ price: '100.00' })
  await aSale({ price: '200.00', shop: sale.shop })
  await createPayout(sale.tenant, { amount: '50.00' })
  const december = await statementRows(sale.tenant, '2026-12')
  expect(december).toEqual([
    expect.objectContaining({ item: 'opening', balance: '0.00', status: 'provisional', currency: 'EUR' }),
    expect.objectContaining({
      item: 'order',
      count: 2,
      buyers: '363.00',
      taxes: '-63.00',
      fees: '-16.00',
      balance: '284.00',
    }),
    expect.objectContaining({ item: 'payout', count: 1, buyers: '0.00', payouts: '-50.00', balance: '-50.00' }),
    expect.objectContaining({ item: 'closing', balance: '234.00' }),
  ])

  await advanceWithoutTasks(sale, { days: 40 })
  await createFull(sale.tenant, sale.orderId, {})
  for (let minutes = 0; minutes < 3; minutes++) {
    await advanceWithoutTasks(sale, { minutes: 10 })
    await runDueTasks()
  }
  const january = await statementRows(sale.tenant, '2027-01')
  expect(openingOf(january)?.balance).toBe('234.00')
  expect(january).toContainEqual(
    expect.objectContaining({ item: 'refund', buyers: '-121.00', taxes: '21.00', fees: '5.50', balance: '-94.50' }),
  )
  expect(`-${closingOf(january)?.balance}`).toBe((await balanceOf(sale)).merchant_balance)

  const final = await statementRows(sale.tenant, '2026-12')
  expect(final).toEqual(december.map((row) => ({ ...row, status: 'final' })))
  expect(openingOf(await statementRows(sale.tenant, '2026-Q4'))?.balance).toBe('0.00')
  expect(closingOf(await statementRows(sale.tenant, '2026-11'))?.balance).toBe('0.00')
  expect(await brokenInvariants()).toEqual({})
})

it('a statement counts a tax correction as one refund, and not as another sale', async () => {
  const sale = await aSale({ price: '100.00', buyer: { country: 'DE' } })
  await advanceWithoutTasks(sale, { days: 31 })
  await nameTaxId(sale)
  const moves = async (month: string) => (await statementRows(sale.tenant, month)).filter(({ count }) => count !== null)
  const returned = { item: 'refund', count: 1, buyers: '-19.00', taxes: '19.00', fees: '0.00', balance: '0.00' }
  expect(await moves('2027-01')).toEqual([expect.objectContaining(returned)])
  await runDueTasks()
  expect((await send(`GET /v1/refunds`, { key: sale.key })).body.data).toMatchObject([{ status: 'refunded' }])
  expect(await moves('2027-01')).toEqual([expect.objectContaining(returned)])
  expect(await moves('2026-12')).toEqual([expect.objectContaining({ item: 'order', count: 1, buyers: '119.00' })])
  expect(await brokenInvariants()).toEqual({})
})

it('the CSV of a statement has a header and a line for each row', async () => {
  const sale = await aSale({ price: '100.00' })
  const lines = (await statementCsv(sale.tenant, '2026-12')).split('\r\n')
  expect(lines[0]).toBe('period,status,currency,item,count,buyers,taxes,fees,payouts,balance')
  expect(lines[2]).toBe('2026-12,provisional,EUR,order,1,121.00,-21.00,-5.50,0.00,94.50')
  expect(lines).toHaveLength(5)
})

it('a statement excludes the other mode and other storefronts', async () => {
  const sale = await aSale({ price: '100.00' })
  const other = await aShop()
  expect(await statementRows({ ...sale.tenant, testmode: false }, '2026-12')).toEqual([])
  expect(await statementRows(other.scope, '2026-12')).toEqual([])
})

it('a statement of an unknown period or storefront is refused', async () => {
  const { tenant } = await aSale({ price: '100.00' })
  await expect(statementRows(tenant, '2026-13')).rejects.toMatchObject({ on: { period: [expect.any(String)] } })
  await expect(statementRows({ ...tenant, storefrontId: 'storefront_0' }, '2026-12')).rejects.toMatchObject({
    code: 'validation_failed',
  })
})
