import { describe, expect, it } from 'vitest'
import { newestEntry } from '../testing/admin-forms.ts'
import { send } from '../testing/api.ts'
import { answer, isRefused } from '../testing/command-line.ts'
import * as factories from '../testing/factories.ts'
import { aShop } from '../testing/shop.ts'

describe('payment-link commands', () => {
  it('the `payment-link` commands create, list, end, and reopen a link, with one audit entry for each change', async () => {
    const { storefrontId, testKey } = await aShop()
    const { id: planId } = await factories.aPlan(testKey)
    const made = await answer(
      `payment-link create --storefront ${storefrontId} --name Team --product ${planId} --min-quantity 2 --max-quantity 9 --price 8.00 --trial-days 14 --locale de --redirect-url-success https://shop.example/ok --json`,
    )
    const { body } = await send(`GET /v1/payment-links/${made.paymentLinkId}`, { key: testKey })
    expect(body).toMatchObject({
      items: [{ id: planId, quantity: 2, minQuantity: 2, maxQuantity: 9, price: { value: '8.00' }, trialDays: 14 }],
      locale: 'de',
      redirectUrlSuccess: 'https://shop.example/ok',
    })
    expect(made).toEqual({ paymentLinkId: body.id, testmode: true, name: 'Team', active: true, url: body.url })
    expect(await newestEntry()).toMatchObject({ action: 'payment_link.create', after: { paymentLinkId: body.id } })

    expect(await answer(`payment-link end --payment-link ${body.id} --json`)).toEqual({ ...made, active: false })
    expect(await newestEntry()).toMatchObject({ action: 'payment_link.end', subject: body.id })
    expect(await answer(`payment-link list --storefront ${storefrontId} --json`)).toEqual([{ ...made, active: false }])
    expect(await answer(`payment-link list --storefront ${storefrontId} --mode live --json`)).toEqual([])
    expect(await answer(`payment-link reopen --payment-link ${body.id} --json`)).toEqual(made)
    expect(await newestEntry()).toMatchObject({ action: 'payment_link.reopen', subject: body.id })
  })

  it('`payment-link create` names the flag of each invalid value', async () => {
    const { storefrontId, testKey } = await aShop()
    const { id } = await factories.aProduct(testKey)
    const create = `payment-link create --storefront ${storefrontId} --name Book`
    const refused = async (flags: string) => (await isRefused(`${create} ${flags}`)).message
    expect(await refused('--product plan')).toContain('--product: Must be an id')
    expect(await refused(`--product ${id} --mode live`)).toContain(
      '--product: The selected product does not exist in this storefront and mode.',
    )
    expect(await refused(`--product ${id} --min-quantity 3`)).toContain('--max-quantity: Send both minQuantity')
    expect(await refused(`--product ${id} --price 8`)).toContain('--price: Must be a decimal amount')
    expect(await refused(`--product ${id} --trial-days soon`)).toContain('--trial-days: Must be')
    const nobody = `storefront_${'0'.repeat(22)}`
    expect(await isRefused(`payment-link list --storefront ${nobody}`)).toMatchObject({
      message: '--storefront: There is no storefront with this id.',
    })
    expect((await isRefused(`payment-link end --payment-link ${id}`)).message).toBe(
      '--payment-link: There is no payment link with this id.',
    )
  })
})
