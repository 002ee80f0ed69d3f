import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { invoiceView } from '../../modules/invoices/load-invoice.ts'
import { now } from '../../platform/clock/clock.ts'
import * as config from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aLink, orderOf } from '../../testing/invoice-update.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { balanceOf, eventsAbout } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { type Answer, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { aSale, corrected, documentsOf, filled, refundsOf } from '../../testing/tax-correction.ts'
import { move, raise } from '../chargeback/operations.ts'
import { failAtBank } from '../refund/operations.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { ossReturnOf, salesListFor, taxTotalsFor } from '../tax-returns/operations.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

afterEach(async () => {
  vi.restoreAllMocks()
})

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function submitted(token: string, typed: Record<string, string> = {}): Promise<Answer> {
  const next = await submitInvoiceUpdate(token, await filled(token, typed))
  expect(next?.redirectTo).toContain('?saved')
  return invoiceUpdatePage(token, 'saved')
}

const paid = { platform_fee: '-5.50', merchant_balance: '-94.50' }

describe('a valid tax ID on an invoice with tax', () => {
  it('a valid tax ID leads to a credit note, a new invoice without tax, and a refund of the tax', async () => {
    const sale = await aSale()
    const before = await orderOf(sale)
    const token = await aLink(sale)
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({
      correctableTax: { value: '19.00', currency: 'EUR' },
    })
    const page = await submitted(token, { companyName: 'Engines GmbH' })
    expect(page).toMatchObject({
      state: 'done',
      number: 'TEST-INV-2026-000002',
      notCorrected: null,
      correction: {
        tax: { value: '19.00' },
        replacedInvoice: { number: 'TEST-INV-2026-000001' },
        creditNote: { number: 'TEST-CN-2026-000001' },
      },
    })
    expect(await documentsOf(sale)).toEqual(corrected)
    const details = { ...before.customerDetails, companyName: 'Engines GmbH', taxId: 'DE1' }
    expect(await orderOf(sale)).toEqual({ ...before, customerDetails: details })
    expect(await refundsOf(sale)).toMatchObject([
      { status: 'processing', subtotal: { value: '0.00' }, total: { value: '19.00' }, orderId: null },
    ])
    expect(await balanceOf(sale)).toEqual({ ...paid, provider_clearing: '119.00', refunds: '-19.00' })

    await drainTasks()
    const [refund] = await refundsOf(sale)
    const { data } = await get(sale.key, '/v1/orders')
    expect(refund).toMatchObject({ status: 'refunded', orderId: data[1].id })
    expect(await db().sandbox_refunds.findMany()).toMatchObject([{ amount: 1_900n, status: 'refunded' }])
    expect(await balanceOf(sale)).toEqual({ ...paid, provider_clearing: '100.00' })
    expect(await eventsAbout(sale, /^(order|refund)/)).toEqual(['order.paid', 'refund.completed'])
    const emails = await db().emails.findMany({
      where: { storefront_id: sale.tenant.storefrontId },
      orderBy: { id: 'asc' },
    })
    expect(emails.map(({ kind }) => kind)).toEqual(['receipt', 'invoice_corrected'])
  })

  it('the credit note and the new invoice of a tax correction link to each other and to the first invoice', async () => {
    const sale = await aSale()
    await submitted(await aLink(sale), { companyName: 'Engines GmbH' })
    const { data } = await get(sale.key, '/v1/orders')
    const views = await Promise.all(data.map(({ links }: Answer) => invoiceView(tokenOf(links.customerInvoice.href))))
    const [replacement, creditNote, replaced] = views
    const numbers = (view: Answer) => view.others.map(({ label }: Answer) => label)
    expect(numbers(replacement)).toEqual(['Invoice TEST-INV-2026-000001', 'Credit note TEST-CN-2026-000001'])
    expect(numbers(creditNote)).toEqual(['Invoice TEST-INV-2026-000001', 'Invoice TEST-INV-2026-000002'])
    expect(numbers(replaced)).toEqual(['Credit note TEST-CN-2026-000001', 'Invoice TEST-INV-2026-000002'])
    const facts = (view: Answer) => view.document.facts.map(({ label, value }: Answer) => `${label}: ${value}`)
    expect(facts(replacement).join('; ')).toMatch(/Replaces invoice: TEST-INV-2026-000001 of 1\sDecember\s2026/)
    expect(facts(creditNote)).toContain('Reason: Tax corrected: a tax ID was named later')
    expect(replacement?.document.closing.join()).toContain('Reverse charge')
    expect(replacement?.document.parties[1].lines.join()).toContain('DE1')
    expect(creditNote?.document.closing).toContain(
      'The tax goes back to the buyer. The rest pays invoice TEST-INV-2026-000002.',
    )
    expect(replacement?.document.eInvoice).toContain('TEST-INV-2026-000001')
  })

  it('the tax return of the quarter contains the tax correction, and its total equals the ledger', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    // The first link expires after a day, so the correction in the next quarter needs a new link.
    await pass(sale, 'P40D')
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ state: 'expired' })
    await submitted(await aLink(sale))
    await drainTasks()
    const asked = (period: string) => ({ period, testmode: true, storefrontId: sale.tenant.storefrontId })
    expect(await ossReturnOf(asked('2026-Q4'))).toMatchObject([
      { record: 'supply', country: 'DE', taxable: '100.00', tax: '19.00' },
      { record: 'balance', country: 'DE', tax: '19.00' },
      { record: 'total', tax: '19.00' },
    ])
    expect(await ossReturnOf(asked('2027-Q1'))).toMatchObject([
      { record: 'correction', period: '2026-Q4', country: 'DE', tax: '-19.00' },
      { record: 'repaid', country: 'DE', tax: '-19.00' },
      { record: 'total', tax: '0.00' },
    ])
    expect(await salesListFor(asked('2026-Q4'))).toEqual([])
    expect(await salesListFor(asked('2027-Q1'))).toMatchObject([
      { period: '2026-Q4', country: 'DE', number: '1', amount: '100.00' },
    ])
    for (const period of ['2026-Q4', '2027-Q1', '2027-01'])
      expect((await taxTotalsFor(asked(period))).at(-1)).toMatchObject({ declaration: 'all', difference: '0.00' })
  })

  it('after a partial refund, a tax correction covers the remaining amount of the invoice', async () => {
    const sale = await aSale()
    const items = [{ itemId: sale.lines[0]?.id, amount: price('40.00') }]
    await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })
    const token = await aLink(sale)
    expect(await submitted(token)).toMatchObject({ correction: null, notCorrected: 'open_money' })
    expect(await documentsOf(sale)).toHaveLength(1)
    await pass(sale, 'PT2M')
    expect(await submitted(token)).toMatchObject({ correction: { tax: { value: '11.40' } }, notCorrected: null })
    await drainTasks()
    expect(await documentsOf(sale)).toEqual([
      ['TEST-INV-2026-000001', '119.00', 'VAT'],
      ['TEST-CN-2026-000001', '47.60', 'VAT'],
      ['TEST-CN-2026-000002', '71.40', 'VAT'],
      ['TEST-INV-2026-000002', '60.00', 'Reverse charge'],
    ])
    expect(await orderOf(sale)).toMatchObject({
      reversedSubtotal: { value: '40.00' },
      refundableSubtotal: { value: '60.00' },
    })
  })

  it('a refund after a tax correction returns no tax, and its credit note refers to the invoice without tax', async () => {
    const sale = await aSale()
    await submitted(await aLink(sale))
    await drainTasks()
    const items = [{ itemId: sale.lines[0]?.id, amount: price('30.00') }]
    const { body } = await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })
    expect(body).toMatchObject({ total: { value: '30.00' }, taxSummary: [{ taxRate: { name: 'Reverse charge' } }] })
    await pass(sale, 'PT2M')
    await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
    await pass(sale, 'PT2M')
    expect(await documentsOf(sale)).toEqual([
      ...corrected,
      ['TEST-CN-2026-000002', '30.00', 'Reverse charge'],
      ['TEST-CN-2026-000003', '70.00', 'Reverse charge'],
    ])
    const { data } = await get(sale.key, '/v1/orders?limit=1')
    const document = (await invoiceView(tokenOf(data[0].links.customerInvoice.href)))?.document
    expect(document?.facts.map(({ value }) => value).join()).toContain('TEST-INV-2026-000002')
    expect(await orderOf(sale)).toMatchObject({ refundableSubtotal: { value: '0.00' } })
    expect(await balanceOf(sale)).toEqual({})
    const replacement = (await get(sale.key, '/v1/orders')).data.find(
      ({ invoiceNumber }: Answer) => invoiceNumber === 'TEST-INV-2026-000002',
    )
    expect(replacement).toMatchObject({ creditedOrderId: null, replacesOrderId: sale.orderId })
    expect(data[0]).toMatchObject({ creditedOrderId: replacement.id, replacesOrderId: null })
    const refused = await send(`POST /v1/orders/${replacement.id}/refunds/full`, { key: sale.key })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { orderId: [expect.stringContaining('replacement invoice')] } },
    })
  })

  it('after a tax correction, the checkout page and the email about a refund name the new invoice', async () => {
    const sale = await aSale()
    const { checkout_id } = await db().orders.findUniqueOrThrow({ where: { id: sale.orderId } })
    const token = tokenOf(checkoutPath(checkout_id ?? ''))
    const named = async () => {
      const page = await checkoutPage(token, { acceptLanguage: 'en', header: () => null })
      const view = page?.state === 'paid' ? await invoiceView(tokenOf(page.invoiceUrl ?? '')) : null
      return [page?.state === 'paid' && page.invoiceNumber, view?.document.title]
    }
    expect(await named()).toEqual(['TEST-INV-2026-000001', expect.stringContaining('TEST-INV-2026-000001')])
    await submitted(await aLink(sale))
    await drainTasks()
    expect(await named()).toEqual(['TEST-INV-2026-000002', expect.stringContaining('TEST-INV-2026-000002')])
    await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
    await pass(sale, 'PT2M')
    const [email] = (await listEmails(sale.tenant.storefrontId)).filter(({ kind }) => kind === 'refund')
    expect(read(email?.text ?? '')).toMatch(/for invoice TEST-INV-2026-000002 from/)
  })

  it('a disputed invoice is corrected after the outcome of the dispute, for the remaining amount', async () => {
    const sale = await aSale()
    const { chargebackId } = await raise(sale.orderId, { reason: 'fraud' })
    const token = await aLink(sale)
    expect(await submitted(token)).toMatchObject({ notCorrected: 'open_money' })
    await move(chargebackId, 'won')
    expect(await submitted(token)).toMatchObject({ correction: { tax: { value: '19.00' } } })
    await drainTasks()
    const again = await raise(sale.orderId, { reason: 'fraud' })
    expect(again).toMatchObject({ amount: '119.00', total: '100.00', subtotal: '100.00' })
    expect(await move(again.chargebackId, 'lost')).toMatchObject({ total: '100.00' })
    expect((await documentsOf(sale)).at(-1)).toEqual(['TEST-CN-2026-000002', '100.00', 'Reverse charge'])
  })

  it('a partial dispute and the tax refund have separate credit notes', async () => {
    const sale = await aSale()
    const { chargebackId } = await raise(sale.orderId, { reason: 'fraud', amount: '47.60' })
    const token = await aLink(sale)
    const form = await filled(token)
    const { id } = await db().invoice_update_links.findFirstOrThrow({ where: { order_id: sale.orderId } })
    await raceBehind(lockOn('invoice_update_links', id), [() => submitInvoiceUpdate(token, form)], 1, async () => {
      const begun = await now(db(), sale.tenant)
      await expect.poll(() => now(db(), sale.tenant), { interval: 20, timeout: 10_000 }).not.toEqual(begun)
      await move(chargebackId, 'lost')
    })
    await drainTasks()
    const { data } = await get(sale.key, '/v1/orders?limit=100')
    const [refund] = await refundsOf(sale)
    const creditNote = data.find((each: Answer) => each.id === refund?.orderId)
    expect(creditNote).toMatchObject({ invoiceNumber: 'TEST-CN-2026-000002', total: { value: '71.40' } })
    expect((await invoiceView(tokenOf(creditNote.links.customerInvoice.href)))?.others).toHaveLength(2)
  })

  it('sending the invoice update form again resends a tax refund that the bank has refused', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    await submitted(token)
    const [first] = await refundsOf(sale)
    await failAtBank(first.id)
    await drainTasks()
    expect(await balanceOf(sale)).toEqual({ ...paid, provider_clearing: '119.00', refunds: '-19.00' })
    expect(await submitted(token)).toMatchObject({ correction: { tax: { value: '19.00' } } })
    expect(await submitted(token)).toMatchObject({ correction: null })
    await drainTasks()
    expect((await refundsOf(sale)).map(({ status }) => status)).toEqual(['refunded', 'failed'])
    expect(await eventsAbout(sale, /^refund/)).toEqual(['refund.failed', 'refund.completed'])
    expect(await documentsOf(sale)).toEqual(corrected)
  })

  it('after a tax correction, the tax ID cannot be removed, and further updates change only the new invoice', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    await submitted(token)
    await submitInvoiceUpdate(token, await filled(token, { taxId: '' }))
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { taxId: { code: 'required' } } })
    await submitted(token, { city: 'Bonn' })
    const { data } = await get(sale.key, '/v1/orders')
    expect(data.map(({ customerDetails }: Answer) => customerDetails.city)).toEqual(['Bonn', null, null])
    expect(await documentsOf(sale)).toEqual(corrected)
  })

  it('the credit note of a tax correction for several lines in dollars equals the invoice to the cent', async () => {
    const sale = await aSale({
      price: '9.99',
      quantity: 3,
      others: ['0.01', '33.33'],
      taxBehavior: 'inclusive',
      buyer: { country: 'US', currency: 'USD' },
    })
    expect(await submitted(await aLink(sale), { taxId: 'US1' })).toMatchObject({ notCorrected: null })
    await drainTasks()
    const [order, creditNote, replacement] = (await get(sale.key, '/v1/orders')).data.toReversed()
    expect(creditNote).toMatchObject({ total: order.total, subtotal: order.subtotal })
    expect(replacement).toMatchObject({ total: order.subtotal, subtotal: order.subtotal })
  })
})

describe('a tax ID that does not change the tax', () => {
  it.each([
    ['for a tax ID of the seller’s country', { country: 'NL' }, 'NL1'],
    ['if it has no tax', { country: 'DE', taxId: 'DE2' }, 'DE1'],
  ])('an invoice is not corrected %s', async (_, buyer, taxId) => {
    const sale = await aSale({ buyer })
    const token = await aLink(sale)
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ correctableTax: null })
    expect(await submitted(token, { taxId })).toMatchObject({ correction: null, notCorrected: null })
    expect(await documentsOf(sale)).toHaveLength(1)
    expect(await refundsOf(sale)).toEqual([])
  })

  it('an invoice cannot be corrected after three years, because tax returns then accept no corrections', async () => {
    const sale = await aSale()
    await pass(sale, 'P1097D')
    expect(await submitted(await aLink(sale))).toMatchObject({ correction: null, notCorrected: null })
    expect(await documentsOf(sale)).toHaveLength(1)
  })

  it('an invoice is not corrected if corrections are disabled in the configuration', async () => {
    vi.spyOn(config, 'config').mockReturnValue(config.readConfig({ ...process.env, LATE_TAX_ID: 'keep' }))
    const sale = await aSale()
    expect(await submitted(await aLink(sale))).toMatchObject({ correction: null, notCorrected: null })
    expect((await orderOf(sale)).customerDetails.taxId).toBe('DE1')
    expect(await documentsOf(sale)).toHaveLength(1)
  })
})
