// biome-ignore-all lint/suspicious/noExplicitAny: the tests read responses of every shape

import { type ChildProcess, fork } from 'node:child_process'

interface Answer {
  readonly id: number
  readonly code: number
  readonly out: string
  readonly error: string
}

export function commandLine(environment: Record<string, string> = {}): (...args: string[]) => Promise<any> {
  let program: ChildProcess | undefined
  let sent = 0
  const waiting = new Map<number, (answer: Answer) => void>()

  function startProgram(): ChildProcess {
    const started = fork('e2e/command-line.mjs', { env: { ...process.env, ...environment } })
    started.on('message', (answer: Answer) => {
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
      if (waiting.size === 0) started.channel?.unref()
    })
    started.unref()
    return started
  }

  return async (...args) => {
    program ??= startProgram()
    const id = ++sent
    program.channel?.ref()
    program.send({ id, args: [...args, '--json'] })
    const { code, out, error } = await new Promise<Answer>((resolve) => waiting.set(id, resolve))
    if (code !== 0) throw new Error(`${args.join(' ')}: ${error}`)
    return JSON.parse(out)
  }
}

export const cli = commandLine()

export interface Shop {
  readonly merchantId: string
  readonly storefrontId: string
  readonly testKey: string
  readonly liveKey: string
  /** Uses the test key by default. Throws if the response is not a success. */
  api(method: string, path: string, body?: object, key?: string): Promise<any>
}

export async function aStorefront(
  run = cli,
): Promise<Pick<Shop, 'merchantId' | 'storefrontId' | 'testKey' | 'liveKey'>> {
  const { merchantId } = await run('merchant', 'create', '--name', 'Lumen Software')
  return { merchantId, ...(await run('storefront', 'create', '--merchant', merchantId, '--name', 'Lumen')) }
}

export const apiOf =
  (baseURL: string, ownKey: string): Shop['api'] =>
  async (method, path, body, key = ownKey) => {
    const response = await fetch(`${baseURL}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

/** Each test gets its own storefront, so clocks, webhooks, and orders are not shared. */
export async function aShop(baseURL: string): Promise<Shop> {
  const keys = await aStorefront()
  return { ...keys, api: apiOf(baseURL, keys.testKey) }
}

const plan = {
  name: 'Pro',
  description: 'For teams',
  basePrice: { value: '10.00', currency: 'EUR' },
  productType: 'saas',
  interval: 'month',
  intervalCount: 1,
}
const product = {
  name: 'Handbook',
  description: 'As an e-book',
  basePrice: { value: '29.99', currency: 'EUR' },
  productType: 'ebook',
}

export const aPlan = async (shop: Shop, differences: object = {}): Promise<string> =>
  (await shop.api('POST', '/subscription-plans', { ...plan, ...differences })).id

/** Creates a plan in live mode, where a new plan waits for a review. */
export const aLivePlan = async (shop: Shop, name: string) =>
  shop.api(
    'POST',
    '/subscription-plans',
    {
      name,
      description: 'For teams',
      basePrice: { value: '10.00', currency: 'EUR' },
      productType: 'saas',
      interval: 'month',
      intervalCount: 1,
    },
    shop.liveKey,
  )

export async function aCheckout(
  shop: Shop,
  shopUrl: string,
  differences: object = {},
): Promise<{ id: string; url: string; success: string; canceled: string }> {
  const planId = await aPlan(shop)
  const { id: productId } = await shop.api('POST', '/one-off-products', product)
  const checkout = await shop.api('POST', '/checkouts', {
    products: [{ id: planId }, { id: productId }],
    redirectUrlSuccess: `${shopUrl}/thanks?checkout={CHECKOUT_ID}`,
    redirectUrlCanceled: `${shopUrl}/basket`,
    ...differences,
  })
  return {
    id: checkout.id,
    url: checkout.links.checkoutUrl.href,
    success: checkout.redirectUrlSuccess,
    canceled: checkout.redirectUrlCanceled,
  }
}
