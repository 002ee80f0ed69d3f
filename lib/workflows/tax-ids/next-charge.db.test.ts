import { describe, expect, it, onTestFinished } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { quarterOf } from '../../modules/tax/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { company, german, liveTaxShop } from '../../testing/live-tax.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { startVies } from '../../testing/stand-ins/vies.ts'
import { invoiceUpdatePage } from '../invoice-update/load-invoice-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { ossReturnOf, salesListFor, taxTotalsFor } from '../tax-returns/operations.ts'
import { askAgain } from './check.ts'

const live = liveTaxShop()
const { configured, aSale, decideLast, invoiceToken, registered, tasks } = live

describe('the next charge of a subscription', () => {
  const tenant = () => ({ storefrontId: live.shop.storefrontId, testmode: false })

  it('adding a tax ID to the invoice removes the tax of the next charge and refunds earlier tax', async () => {
    live.vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
    const sale = await aSale()
    await sale.pay({ country: 'DE' })
    const mandate = { ref: 'm', provider: 'second', method: 'card', maskedIdentifier: '1', status: 'valid' } as const
    await decideLast({ status: 'paid', mandate })
    const order = await sale.order()
    expect(order).toMatchObject({ status: 'paid', total: 11_900n })
    const { id } = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
    const next = async () => {
      const subscription = await findSubscription(db(), tenant(), id)
      return subscription && nextCharge(subscription, new Date())?.total
    }
    expect(await next()).toBe(11_900n)

    const token = await invoiceToken(order)
    const form = { ...german, ...company, fullName: 'Ada' }
    await submitInvoiceUpdate(token, new URLSearchParams({ ...form, useForLaterOrders: 'yes' }))
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ correction: null, notCorrected: 'unconfirmed' })
    expect(await db().subscriptions.findUnique({ where: { id } })).toMatchObject({
      billing_address: { taxId: german.taxId },
    })
    expect(await next()).toBe(11_900n)
    live.vies.fail(null)
    registered()
    await runDueTasks()
    expect(await next()).toBe(10_000n)

    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    expect(await send(`PATCH /v1/subscriptions/${id}`, { key: live.shop.liveKey, body })).toMatchObject({ status: 200 })
    const change = await db().orders.findFirstOrThrow({ where: { subscription_id: id } })
    await runDueTasks()
    await decideLast({ status: 'paid', country: 'AT' })
    expect(await keptEvidence(change.id)).toMatchObject({
      declaredCountry: 'DE',
      postalCode: '10115',
      ipCountry: null,
      paymentCountry: 'AT',
      standing: 'contradicted',
      taxReason: 'reverse_charge',
      taxIdCheck: { result: 'valid' },
    })

    await submitInvoiceUpdate(token, new URLSearchParams({ ...form, version: '1' }))
    expect(await invoiceUpdatePage(token, 'saved')).toMatchObject({ correction: { tax: { value: '19.00' } } })
    await runDueTasks()
    expect(await db().refunds.findMany({ where: { order_id: order?.id ?? '' } })).toMatchObject([
      { status: 'refunded', subtotal: 0n, total: 1_900n },
    ])
    const replacement = await db().orders.findFirstOrThrow({ where: { replaces_order_id: order?.id ?? '' } })
    expect(replacement.tax_summary).toMatchObject([{ name: 'Reverse charge' }])
    expect(await keptEvidence(replacement.id)).toMatchObject({
      taxReason: 'reverse_charge',
      taxIdCheck: { result: 'valid', name: 'Beispiel GmbH' },
    })
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({ taxReason: 'standard', taxId: null })
    expect(await brokenInvariants()).toEqual({})
  })

  it('the invoice update form refuses a tax ID that is unknown to the registry', async () => {
    const sale = await aSale()
    await sale.pay({ country: 'IT' })
    await decideLast({ status: 'paid' })
    const order = await sale.order()
    const token = await invoiceToken(order)
    await submitInvoiceUpdate(token, new URLSearchParams({ ...company, fullName: 'Ada', taxId: 'IT00743110157' }))
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { taxId: { code: 'not_registered' } } })
    live.vies.register({ countryCode: 'IT', vatNumber: '00743110157', name: 'Esempio', address: 'Roma' })
    await db().tax_id_checks.deleteMany()
    // An invoice with a reverse charge must show a company and an address.
    await submitInvoiceUpdate(token, new URLSearchParams({ fullName: 'Ada', taxId: 'IT00743110157' }))
    expect(await invoiceUpdatePage(token, 'form')).toMatchObject({ problems: { companyName: { code: 'required' } } })
    expect(await sale.order()).toEqual(order)
  })
})

it('the tax returns of the quarter contain the payments of companies and consumers and match the ledger', async () => {
  registered()
  for (const form of [
    { ...german, ...company },
    { country: 'PT', postalCode: '9000-001' },
  ]) {
    const sale = await aSale()
    await sale.ask(form)
    await sale.pay(form)
    await decideLast({ status: 'paid' })
    expect(await sale.order()).toMatchObject({ status: 'paid' })
  }
  const asked = { period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null }
  expect(await ossReturnOf(asked)).toContainEqual(
    expect.objectContaining({ record: 'supply', country: 'PT', rate: '22', taxable: '100.00', tax: '22.00' }),
  )
  // The amount also includes an earlier sale that became a reverse charge, and a change of the subscription of that sale.
  expect(await salesListFor(asked)).toMatchObject([{ country: 'DE', number: '136695976', amount: '300.00' }])
  expect((await taxTotalsFor(asked)).at(-1)).toMatchObject({ declaration: 'all', currency: 'EUR', difference: '0.00' })
})

it('the next charge is announced again if the registry rejects the tax ID a day before the charge', async () => {
  const tenant = { storefrontId: live.shop.storefrontId, testmode: false }
  registered()
  const sale = await aSale()
  await sale.pay({ ...german, ...company })
  const mandate = { ref: 'n', provider: 'second', method: 'card', maskedIdentifier: '1', status: 'valid' } as const
  await decideLast({ status: 'paid', mandate })
  const order = await sale.order()
  expect(order).toMatchObject({ status: 'paid', total: 10_000n })
  const { id } = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
  const task = (await tasks()).find(({ key }) => key.startsWith(id))
  const data = task?.data as Parameters<typeof askAgain>[1]
  const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
  const again = (of = claim) =>
    askAgain({ ...tenant, claim: of }, { ...data, freshSince: new Date(Date.now() + 60_000).toISOString() })
  const announced = async () =>
    (await listEmails(live.shop.storefrontId)).filter(
      ({ kind, subscriptionId }) => kind === 'renewal_notice' && subscriptionId === id,
    )
  const forgetful = await startVies()
  onTestFinished(() => forgetful.close())
  configured({ vies: { apiBase: forgetful.url, acceptsUnknown: false } })
  await again()
  const [email, ...others] = await announced()
  expect(others).toEqual([])
  expect(read(email?.text ?? '')).toMatch(/has changed: €119\.00 on .+\. Until now, it was €100\.00 on /)
  const { id: taskId, claim_version: claimVersion } = await db().tasks.create({
    data: { ...((task ?? {}) as NonNullable<typeof task>), data: data as object },
  })
  await again({ taskId, claimVersion })
  expect(await announced()).toHaveLength(1)
  expect(await db().tax_id_checks.count({ where: { result: 'invalid', tax_id: german.taxId } })).toBe(2)
})
