import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import config from '../../playwright.config.ts'
import type { Bench } from './context.ts'
import { median } from './figures.ts'

/** This file measures the largest contentful paint of hosted pages on a slow phone, with an empty cache. */

export interface Paint {
  readonly name: string
  /** The median times of the first and the largest contentful paint, in milliseconds. */
  readonly firstMs: number
  readonly largestMs: number
  readonly slowestMs: number
  /** The tag of the largest painted element, such as `p` or `img`. */
  readonly element: string
}

const target = 1_000
/** Slow 4G as in Lighthouse: a download rate of 1.6 Mbit/s, a latency of 150 ms, and a processor that is four times slower. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

export async function measurePaints(
  { installation, api, shop, say }: Bench,
  { loads }: { readonly loads: number },
): Promise<Paint[]> {
  const checkout = await api.call(201, 'POST', '/v1/checkouts', shop.checkoutBody)
  const link = await api.call(201, 'POST', '/v1/payment-links', { name: 'Team', items: [{ id: shop.planId }] })
  const pages = [
    ['checkout', new URL(checkout.links.checkoutUrl.href).pathname],
    ['payment link', new URL(link.url).pathname],
    ['front page', '/'],
    ['documentation', '/docs'],
  ] as const
  const { findChromium } = await import(path.resolve(import.meta.dirname, '../chromium.mjs'))
  await findChromium()
  const browser = await chromium.launch(config.use?.launchOptions)
  try {
    const paints: Paint[] = []
    for (const [name, address] of pages) {
      say(`Measuring the paint of the page: ${name}`)
      const url = installation.baseUrl + address
      await paintOf(browser, url) // The first visit is not measured, because it makes the server load the page's files.
      const found = []
      while (found.length < loads) found.push(await paintOf(browser, url))
      const largest = found.map(({ largestMs }) => largestMs)
      paints.push({
        name,
        firstMs: median(found.map(({ firstMs }) => firstMs)),
        largestMs: median(largest),
        slowestMs: Math.max(...largest),
        element: found[0]?.element ?? '',
      })
    }
    return paints
  } finally {
    await browser.close()
  }
}

/** Throws if the page painted nothing. */
async function paintOf(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const response = await page.goto(url, { waitUntil: 'networkidle' })
    if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`)
    return await page.evaluate(
      () =>
        new Promise<{ firstMs: number; largestMs: number; element: string }>((resolve) => {
          const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
          new PerformanceObserver((list) => {
            const largest = list.getEntries().at(-1) as (PerformanceEntry & { element: Element | null }) | undefined
            if (first === undefined || largest === undefined) throw new Error('nothing was painted')
            resolve({
              firstMs: first,
              largestMs: largest.startTime,
              element: largest.element?.tagName.toLowerCase() ?? '',
            })
          }).observe({ type: 'largest-contentful-paint', buffered: true })
        }),
    )
  } finally {
    await context.close()
  }
}

export const paintTable = (paints: readonly Paint[]): string =>
  [
    '| page, with an empty cache | first contentful paint ms | largest contentful paint ms | slowest largest paint ms | target | element |',
    '|---|--:|--:|--:|--:|---|',
    ...paints.map(
      ({ name, firstMs, largestMs, slowestMs, element }) =>
        `| ${name} | ${firstMs.toFixed(0)} | ${largestMs.toFixed(0)} | ${slowestMs.toFixed(0)} | ${target} | \`${element}\` |`,
    ),
  ].join('\n')

export const paintNotes = `- **Method**: Chromium loads the pages with a screen of 390 × 844 pixels, 1.6 Mbit/s, a latency of 150 ms, and a processor at a quarter of its
  speed. Each load has a new browser profile. Figures are medians of the loads. Chromium, the service, and PostgreSQL share the
  cores.
`
