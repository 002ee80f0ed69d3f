import { describe, expect, it } from 'vitest'
import { exportEvidence, orderPage } from '../../admin/pages.ts'
import { drawFactSheet } from '../../modules/invoices/pdf/fact-sheet.ts'
import { eraseDocumentsBefore } from '../../modules/personal-data/store.ts'
import { taxIdsOf } from '../../modules/personal-data/tax-ids.ts'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { quarterOf } from '../../modules/tax/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { company, german, liveTaxShop } from '../../testing/live-tax.ts'
import { aMember } from '../../testing/operator.ts'
import { aShop, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { erase } from '../erasure/operations.ts'
import { invoiceUpdatePage } from '../invoice-update/load-invoice-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { evidencePack } from '../tax-evidence/pack.ts'
import { evidenceSheet } from '../tax-evidence/sheet.ts'
import { ossReturnOf } from '../tax-returns/operations.ts'

const live = liveTaxShop()
const { configured, aSale, decideLast, invoiceToken, registered, tasks } = live

it('the evidence pack of a sale states the declared country, the IP country, the tax rule, and the rate sources, in JSON and PDF', async () => {
  registered()
  const german_ = await aSale()
  await german_.pay({ ...german, ...company })
  const belgian = await aSale()
  await belgian.pay({ country: 'BE' })
  const packOf = async ({ order }: Pick<typeof belgian, 'order'>) => evidencePack((await order())?.id ?? '')
  const reversed = await packOf(german_)
  expect(reversed).toMatchObject({
    declaredCountry: 'DE',
    declared: { country: 'DE', companyName: 'Beispiel GmbH', taxId: german.taxId },
    ipCountry: 'DE',
    standing: 'agreed',
    taxIdCheck: { result: 'valid', source: 'vies' },
    rule: { reason: 'reverse_charge', law: 'Directive 2006/112/EC, art. 44 and 196' },
    rates: [{ name: 'Reverse charge', amount: '0.00', since: null }],
    sale: { currency: 'EUR', subtotal: '100.00', total: '100.00', invoiceNumber: null },
    seller: { country: 'NL' },
    exchange: null,
  })
  const taxed = await packOf(belgian)
  expect(taxed).toMatchObject({
    declaredCountry: 'BE',
    ipCountry: 'DE',
    standing: 'confirmed',
    taxIdCheck: null,
    rule: { reason: 'standard', law: expect.stringContaining('art. 24b') },
    rates: [{ percentage: '21', amount: '21.00', since: '2024-01-01', source: expect.stringContaining('TEDB') }],
  })
  const said = evidenceSheet(taxed).sections.flatMap(({ facts }) =>
    facts.map(({ label, value }) => `${label}: ${value}`),
  )
  expect(said).toContain('Country of the connection: DE')
  expect(said.join()).toMatch(/Country confirmed at: \d{4}-/)
  const [pdf, again] = [await drawFactSheet(evidenceSheet(reversed)), await drawFactSheet(evidenceSheet(reversed))]
  expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  expect(Buffer.from(pdf).equals(Buffer.from(again))).toBe(true)
})

it('members with the export permission can download the evidence pack of their own storefront', async () => {
  const sale = await aSale()
  await sale.pay({ country: 'DE' })
  const id = (await sale.order())?.id ?? ''
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: live.shop.storefrontId } })
  const [owner, support] = [
    await aMember('owner@example.com', merchant_id, 'owner'),
    await aMember('support@example.com', merchant_id, 'support'),
  ]
  const at = { mode: 'live', storefrontId: live.shop.storefrontId }
  expect(await orderPage(at, id, owner.cookies)).toHaveProperty('evidenceUrl')
  expect(await orderPage(at, id, support.cookies)).not.toHaveProperty('evidenceUrl')
  const file = await exportEvidence(at, id, owner.cookies)
  expect(file?.fileName).toBe(`evidence-${id}.pdf`)
  const { value } = (await file?.parts.next()) ?? {}
  expect(
    Buffer.from(value ?? [])
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect(await db().audit_entries.findFirst({ orderBy: { seq: 'desc' } })).toMatchObject({
    action: 'export.evidence',
    subject: id,
  })
  const stranger = await aShop()
  expect([
    await exportEvidence(at, id, support.cookies),
    await exportEvidence(at, id, null),
    await exportEvidence({ ...at, mode: 'test' }, id, owner.cookies),
    await exportEvidence({ mode: 'live', storefrontId: stranger.storefrontId }, id, owner.cookies),
    await exportEvidence(at, 'order_0', owner.cookies),
  ]).toEqual([null, null, null, null, null])
})

describe('a changed tax ID on an invoice with a reverse charge', () => {
  const other = 'DE129273398'

  async function reverseCharged() {
    registered()
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    await decideLast({ status: 'paid' })
    const order = await sale.order()
    const token = await invoiceToken(order)
    const put = async (taxId: string) => {
      await submitInvoiceUpdate(token, new URLSearchParams({ ...company, fullName: 'Ada', taxId }))
      const page = await invoiceUpdatePage(token, 'form')
      return { problems: page?.state === 'open' ? page.problems : null, taxId: (await shownOn(sale)).taxId }
    }
    return { orderId: order?.id ?? '', put }
  }

  const shownOn = async (sale: Awaited<ReturnType<typeof aSale>>) =>
    (await sale.order())?.customer_details as { taxId: string | null }

  it('a changed tax ID on a reverse-charge invoice must be confirmed by the registry', async () => {
    const { orderId, put } = await reverseCharged()
    const before = live.vies.questions().length
    expect(await put('DE 136 695 976')).toEqual({ problems: {}, taxId: 'DE136695976' })
    expect(live.vies.questions().length).toBe(before)

    expect(await put(other)).toEqual({ problems: { taxId: { code: 'not_registered' } }, taxId: 'DE136695976' })
    await db().tax_id_checks.deleteMany({ where: { tax_id: other } })
    live.vies.register({ countryCode: 'DE', vatNumber: other.slice(2), name: 'Andere GmbH', address: 'Bonn' })
    expect(await put(other)).toEqual({ problems: {}, taxId: other })
    const pack = await evidencePack(orderId)
    expect(pack).toMatchObject({
      taxIdCheck: { taxId: 'DE136695976', result: 'valid' },
      changedTaxIdCheck: { taxId: other, result: 'valid', name: 'Andere GmbH' },
    })
    expect(JSON.stringify(evidenceSheet(pack))).toContain(`Registry, of ${other} on the invoice`)
  })

  it.each([
    [false, { problems: { taxId: { code: 'unconfirmed' } }, taxId: german.taxId }, 0],
    [true, { problems: {}, taxId: other }, 1],
  ])(
    'while the registry does not respond, a changed tax ID is accepted only with VIES_UNKNOWN=accept (set: %s)',
    async (accepts, found, later) => {
      const { put } = await reverseCharged()
      await db().tasks.deleteMany({ where: { name: 'tax.check_id', storefront_id: live.shop.storefrontId } })
      configured({ acceptsUnknown: accepts })
      live.vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
      expect(await put(other)).toEqual(found)
      expect((await tasks()).filter(({ key }) => key.includes(other))).toHaveLength(later)
    },
  )
})

it('a sale stays in the tax return if the buyer later changes the postal code on the invoice', async () => {
  const sale = await aSale()
  await sale.pay({ country: 'ES' })
  await decideLast({ status: 'paid' })
  const order = await sale.order()
  const token = await invoiceToken(order)
  const put = (postalCode: string) => submitInvoiceUpdate(token, new URLSearchParams({ fullName: 'Ada', postalCode }))
  const declared = async () => {
    const rows = await ossReturnOf({ period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null })
    return rows.find(({ country }) => country === 'ES')
  }
  const spanish = { record: 'supply', rate: '21', taxable: '100.00', tax: '21.00' }
  expect(await declared()).toMatchObject(spanish)
  // Las Palmas is outside the VAT area of the EU, and Madrid is inside.
  await put('35001')
  expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { postalCode: { code: 'unavailable' } } })
  expect(await declared()).toMatchObject(spanish)
  await put('28001')
  expect(await sale.order()).toMatchObject({ customer_details: { postalCode: '28001' } })
  expect(await declared()).toMatchObject(spanish)
})

it('an erasure keeps the tax evidence of invoices until the invoices are erased, and immediately erases a tax ID without an invoice', async () => {
  const taxId = 'DE143454214'
  live.vies.register({ countryCode: 'DE', vatNumber: '143454214', name: 'Beispiel GmbH', address: 'Berlin' })
  live.vies.register({ countryCode: 'DE', vatNumber: '129273398', name: 'Anderes GmbH', address: 'Bonn' })
  const pay = async (form: Record<string, string>) => {
    const sale = await aSale()
    await sale.ask(form)
    await sale.pay(form)
    await decideLast({ status: 'paid' })
    await runDueTasks()
    const { id = '', customer_id } = (await sale.order()) ?? {}
    const { data } = (await send('GET /v1/subscriptions', { key: live.shop.liveKey })).body
    const cancel = () => send(`DELETE /v1/subscriptions/${data[0].id}?immediately=true`, { key: live.shop.liveKey })
    return { id, customerId: customer_id ?? '', cancel }
  }
  const order = await pay({ ...german, ...company, taxId, email: 'first@example.com' })
  const other = await pay({ ...german, ...company, taxId, email: 'second@example.com' })
  const link = await send(`POST /v1/orders/${order.id}/invoice-update-link`, { key: live.shop.liveKey })
  const token = tokenOf(link.body.href)
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  const mistaken = { ...page.form, version: page.version, taxId: 'DE129273398', fullName: '' }
  await submitInvoiceUpdate(token, new URLSearchParams(mistaken))
  const taxIds = async () =>
    (await db().tax_id_checks.findMany({ orderBy: { tax_id: 'asc' } })).map((each) => each.tax_id)
  const asked = async () => (await tasks()).map(({ data }) => (data as { taxId: string }).taxId)
  expect([await taxIds(), await asked()]).toEqual([
    ['DE129273398', taxId],
    [taxId, taxId],
  ])

  for (const { cancel, customerId } of [order, other]) {
    expect((await cancel()).status).toBe(204)
    await runDueTasks()
    await erase(customerId)
  }
  expect([await taxIds(), await asked()]).toEqual([[taxId], []])
  const tenant = { storefrontId: live.shop.storefrontId, testmode: false }
  const inTenYears = new Date(Date.now() + 10 * 366 * 86_400_000)
  const endOf = async ({ customerId }: { customerId: string }, before: Date) =>
    eraseDocumentsBefore(db(), tenant, { customerId, taxIds: await taxIdsOf(db(), customerId), before })
  await endOf(order, new Date('2026-01-01'))
  expect(await keptEvidence(order.id)).toMatchObject({ taxIdCheck: { name: 'Beispiel GmbH' } })
  for (const _ of ['once', 'again']) await endOf(order, inTenYears)
  await expect(keptEvidence(order.id)).rejects.toMatchObject({ code: 'not_found' })
  // Both sales depend on the same registry response, so the response is stored until the evidence of the other sale is erased too.
  expect(await keptEvidence(other.id)).toMatchObject({ taxIdCheck: { name: 'Beispiel GmbH' } })
  await endOf(other, inTenYears)
  expect(await taxIds()).toEqual([])
})
