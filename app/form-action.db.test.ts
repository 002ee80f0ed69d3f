import { readdirSync } from 'node:fs'
import path from 'node:path'
import { NextRequest } from 'next/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { send } from '@/lib/testing/api.ts'
import * as factories from '@/lib/testing/factories.ts'
import { anOperator } from '@/lib/testing/operator.ts'
import { aCheckout, buyerForm, germanVisitor } from '@/lib/testing/shop.ts'
import { ordersOf, type Scenario, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { submitCheckout } from '@/lib/workflows/sale/submit-checkout.ts'
import { proxy } from '@/proxy.ts'

let cookies: string
let scenario: Scenario
beforeAll(async () => {
  cookies = (await anOperator('pages@example.com')).cookies ?? ''
  scenario = await subscriptionScenario()
})

const formAction = async (address: string) => {
  const answer = await proxy(new NextRequest(`http://127.0.0.1:3000${address}`, { headers: { cookie: cookies } }))
  return {
    status: answer.status,
    sources: /form-action ([^;]+)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1],
  }
}

const root = path.resolve(import.meta.dirname)
const addresses = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx')
  .map((file) => path.dirname(file).split(path.sep))
  .map((parts) => parts.filter((part) => part !== '.' && !part.startsWith('(')))
  .map((parts) => `/${parts.map((part) => (part === '[mode]' ? 'test' : part.replace(/^\[.*\]$/, 'x'))).join('/')}`)

// Omits the first log-in page, which has its own test below, and the second-factor page, which redirects if there is no
// session.
const withPolicy = addresses.filter((address) => address !== '/admin/sign-in' && address !== '/admin/second-factor')

test.each(withPolicy)('without a valid link, the page %s may send forms only to its own origin', async (address) => {
  expect((await formAction(address)).sources).toBe("'self'")
})

test('the log-in page of the admin area may send forms only to its own origin', async () => {
  const answer = await proxy(new NextRequest('http://127.0.0.1:3000/admin/sign-in'))
  expect(answer.headers.get('content-security-policy')).toContain("form-action 'self';")
})

const pathOf = (href: string) => new URL(href).pathname
const aLink = async (line: string, body: object = {}) => {
  const { body: link } = await send(line, { key: scenario.key, body })
  return pathOf(link.url ?? link.href)
}

describe('a page with a valid link', () => {
  const shopUrls = { redirectUrlSuccess: 'http://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }

  test.each<[name: string, sources: string, address: () => Promise<string>]>([
    ['checkout', "'self' https:", async () => `/checkout/${(await openCheckout()).token}`],
    [
      'payment link',
      "'self' https:",
      async () => pathOf((await factories.aPaymentLink(scenario.key, scenario.planId)).url),
    ],
    [
      'checkout of a shop without https',
      "'self' https: http://shop.example",
      async () => {
        const products = [{ id: scenario.planId }]
        const { body } = await send('POST /v1/checkouts', { key: scenario.key, body: { products, ...shopUrls } })
        return pathOf(body.links.checkoutUrl.href)
      },
    ],
    [
      'test payment page',
      "'self' https:",
      async () => (await submitCheckout((await openCheckout()).token, buyerForm(), germanVisitor))?.redirectTo ?? '',
    ],
    [
      'billing update',
      "'self' https: http://shop.example",
      () => aLink(`POST /v1/subscriptions/${scenario.id}/billing-update-link`, shopUrls),
    ],
    ['invoice', "'self'", async () => pathOf((await theOrder()).links.customerInvoice.href)],
    ['invoice update', "'self'", async () => aLink(`POST /v1/orders/${(await theOrder()).id}/invoice-update-link`)],
    [
      'link to the portal',
      "'self'",
      async () => aLink(`POST /v1/customers/${(await theOrder()).customerId}/portal-sessions`),
    ],
  ])('the page of a valid link of the kind "%s" may send forms to %s', async (_, sources, address) => {
    expect(await formAction(await address())).toEqual({ status: 200, sources })
  })

  const openCheckout = () => aCheckout(scenario.shop, [{ id: scenario.planId }])
  const theOrder = async () => {
    const [order] = await ordersOf(scenario)
    if (!order) throw new Error('the subscription has no order')
    return order
  }
})

test('the page of a closed payment link may not send forms to another site', async () => {
  const { id, url } = await factories.aPaymentLink(scenario.key, scenario.planId)
  await send(`PATCH /v1/payment-links/${id}`, { key: scenario.key, body: { active: false } })
  expect(await formAction(pathOf(url))).toEqual({ status: 410, sources: "'self'" })
})

test('the page of a closed checkout may not send forms to another site', async () => {
  const { token, id } = await aCheckout(scenario.shop, [{ id: scenario.planId }])
  await submitCheckout(token, new URLSearchParams({ intent: 'cancel' }), germanVisitor)
  expect((await send(`GET /v1/checkouts/${id}`, { key: scenario.key })).body.status).toBe('canceled')
  expect(await formAction(`/checkout/${token}`)).toEqual({ status: 410, sources: "'self'" })
})
