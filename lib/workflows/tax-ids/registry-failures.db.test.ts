import { describe, expect, it, onTestFinished } from 'vitest'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { addRegistration } from '../../modules/tax/operations.ts'
import { quarterOf } from '../../modules/tax/rules/index.ts'
import { db } from '../../platform/db/db.ts'
import { resetHmrc } from '../../providers/hmrc/client.ts'
import { company, german, liveTaxShop } from '../../testing/live-tax.ts'
import { startHmrc } from '../../testing/stand-ins/hmrc.ts'
import { evidencePack } from '../tax-evidence/pack.ts'
import { salesListFor, taxTotalsFor, thresholdsOfYear } from '../tax-returns/operations.ts'
import { askAgain } from './check.ts'

const live = liveTaxShop()
const { configured, aSale, decideLast, registered, tasks } = live

describe('a registry that does not respond', () => {
  it('with VIES_UNKNOWN=charge, tax is charged while the registry does not respond, and a later response is stored as evidence', async () => {
    live.vies.fail({ status: 400, error: 'MS_UNAVAILABLE' })
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    const order = await sale.order()
    expect(order).toMatchObject({ total: 11_900n })
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect((task?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 60_000)

    live.vies.fail(null)
    registered()
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    await askAgain({ storefrontId: live.shop.storefrontId, testmode: false, claim }, data)
    expect(await tasks()).toEqual([])
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({
      taxReason: 'standard',
      taxIdCheck: { result: 'unknown', error: 'MS_UNAVAILABLE' },
      laterTaxIdCheck: { result: 'valid', name: 'Beispiel GmbH' },
    })
  })

  it('with VIES_UNKNOWN=accept, a tax ID is accepted while the registry does not respond, and is checked again for 30 days', async () => {
    configured({ acceptsUnknown: true })
    live.vies.fail({ status: 200, error: 'TIMEOUT' })
    const sale = await aSale()
    await sale.pay({ ...german, ...company })
    expect(await sale.order()).toMatchObject({ total: 10_000n })
    const [task] = await tasks()
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    const tenant = { storefrontId: live.shop.storefrontId, testmode: false }
    await askAgain({ ...tenant, claim }, data)
    expect(await tasks()).toHaveLength(1)

    const begunAt = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await askAgain({ ...tenant, claim }, { ...data, begunAt })
    expect(await tasks()).toEqual([])
  })
})

describe('a persistent error of VIES', () => {
  const day = 86_400_000

  it.each([
    ['INVALID_INPUT', null],
    ['IP_BLOCKED', day],
    ['VAT_BLOCKED', day],
  ])(
    'after the VIES error %s, the tax ID is unknown, and no request is sent to VIES in the next 10 minutes',
    async (error, pauseMs) => {
      configured({ acceptsUnknown: true })
      await db().tasks.deleteMany({ where: { name: 'tax.check_id', storefront_id: live.shop.storefrontId } })
      live.vies.fail({ status: 400, error })
      const sale = await aSale()
      await sale.pay({ ...german, ...company })
      expect(await db().tax_id_checks.findMany()).toMatchObject([{ result: 'unknown', error }])
      const before = live.vies.questions().length
      await db().$executeRaw`UPDATE tax_id_checks SET checked_at = checked_at - interval '10 minutes'`
      const { checked_at: asked } = await db().tax_id_checks.findFirstOrThrow()
      await sale.ask(german)
      const [task] = await tasks()
      const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
      const data = task?.data as Parameters<typeof askAgain>[1]
      await askAgain({ storefrontId: live.shop.storefrontId, testmode: false, claim }, data)
      expect(live.vies.questions().length).toBe(before)
      expect((await tasks()).map(({ due_at }) => due_at.getTime() - asked.getTime())).toEqual(
        pauseMs === null ? [] : [pauseMs],
      )
    },
  )
})

it('a form can check ten tax IDs per minute, and tax is charged for further IDs', async () => {
  configured({ acceptsUnknown: true })
  const before = live.vies.questions().length
  const sale = await aSale()
  // Italian VAT numbers: eleven digits with the right check digit (Luhn).
  const ids = Array.from({ length: 14 }, (_, each) => `IT${withLuhn(`0074${300 + each}010`)}`)
  const taxes: string[] = []
  for (const taxId of ids) taxes.push((await sale.ask({ country: 'IT', taxId })).tax)
  expect(live.vies.questions().length - before).toBe(10)
  expect(new Set(taxes)).toEqual(new Set(['VAT 22']))
  const other = await aSale()
  await other.ask({ country: 'IT', taxId: ids[13] ?? '' })
  expect(live.vies.questions().length - before).toBe(11)
})

function withLuhn(ten: string): string {
  const sum = [...ten].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${ten}${(10 - (sum % 10)) % 10}`
}

describe('a British buyer when HMRC is configured', () => {
  const british = { country: 'GB', taxId: 'GB 980 7806 84', postalCode: 'SW1A 1AA' }
  const details = { companyName: 'Example Ltd', streetAndNumber: 'Way 1', city: 'London' }

  async function anHmrc() {
    const hmrc = await startHmrc()
    onTestFinished(() => hmrc.close())
    resetHmrc()
    const { url: apiBase, clientId, clientSecret } = hmrc
    const account = { hmrc: { apiBase, clientId, clientSecret } }
    configured(account)
    return { hmrc, account }
  }

  it('a British buyer pays no tax to an unregistered seller, and the HMRC response is stored', async () => {
    const { hmrc } = await anHmrc()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'Outside scope 0', taxId: 'none' })
    await sale.pay({ ...british, ...details })
    const order = await sale.order()
    expect(await keptEvidence(order?.id ?? '')).toMatchObject({
      taxReason: 'outside_scope',
      taxIdCheck: { source: 'hmrc', result: 'valid', name: 'Example Ltd', consultationNumber: null },
    })
    expect(hmrc.questions()).toHaveLength(1)
  })

  it('sales to consumers count toward the British threshold, and sales to confirmed VAT numbers do not', async () => {
    const year = { period: String(new Date().getUTCFullYear()), testmode: false, storefrontId: null }
    const sold = async () => (await thresholdsOfYear(year)).rows.find(({ country }) => country === 'GB')?.sold
    const before = (await sold()) ?? 0n
    const { hmrc } = await anHmrc()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    const company = await aSale()
    await company.ask(british)
    await company.pay({ ...british, ...details })
    await decideLast({ status: 'paid' })
    expect(await sold()).toBe(before)
    const consumer = await aSale()
    await consumer.pay({ country: 'GB' })
    await decideLast({ status: 'paid' })
    expect(await sold()).toBe(before + 10_000n)
  })

  it('a registered seller charges no tax for a valid British number, and charges tax otherwise', async () => {
    const { hmrc } = await anHmrc()
    await addRegistration({ country: 'GB', number: 'GB123456782', scheme: 'local', from: '2026-03-01' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'VAT 20', taxId: 'not_confirmed' })

    await db().tax_id_checks.deleteMany()
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    hmrc.register({ vatNumber: '123456782', name: 'Seller' })
    expect(await sale.ask(british)).toMatchObject({ tax: 'Reverse charge 0', registeredName: 'Example Ltd' })
    await sale.pay({ ...british, ...details })
    const order = await sale.order()
    expect(order).toMatchObject({ total: 10_000n, tax_summary: [{ name: 'Reverse charge' }] })
    expect(await evidencePack(order?.id ?? '')).toMatchObject({
      taxReason: 'reverse_charge',
      taxIdCheck: { source: 'hmrc', result: 'valid', consultationNumber: expect.stringMatching(/^ypA/) },
      rule: { law: expect.stringContaining('Value Added Tax Act 1994') },
    })
    await decideLast({ status: 'paid' })
    const asked = { period: quarterOf(new Date().toISOString()), testmode: false, storefrontId: null }
    expect((await salesListFor(asked)).filter(({ country }) => country === 'GB')).toEqual([])
    expect((await taxTotalsFor(asked)).at(-1)).toMatchObject({ difference: '0.00' })
  })

  it('if HMRC does not respond, a British buyer pays tax unless VIES_UNKNOWN=accept is set', async () => {
    const { hmrc, account } = await anHmrc()
    hmrc.fail({ status: 503, code: 'SERVER_ERROR' })
    const sale = await aSale()
    expect(await sale.ask(british)).toMatchObject({ tax: 'VAT 20' })
    configured({ ...account, acceptsUnknown: true })
    expect(await sale.ask(british)).toMatchObject({ tax: 'Reverse charge 0' })
    await sale.pay({ ...british, ...details })
    expect(await sale.order()).toMatchObject({ total: 10_000n })
    const task = (await tasks()).find(({ data }) => (data as { taxId?: string }).taxId === 'GB980780684')
    hmrc.fail(null)
    const claim = { taskId: task?.id ?? '', claimVersion: task?.claim_version ?? 0 }
    const data = task?.data as Parameters<typeof askAgain>[1]
    await askAgain({ storefrontId: live.shop.storefrontId, testmode: false, claim }, data)
    expect(await db().tax_id_checks.findFirst({ orderBy: { checked_at: 'desc' } })).toMatchObject({
      tax_id: 'GB980780684',
      source: 'hmrc',
      result: 'invalid',
      checkout_id: null,
    })
  })
})
