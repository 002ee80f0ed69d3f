import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Frame, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './test.ts'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const phone = { width: 390, height: 900 }
const desktop = { width: 1280, height: 900 }

/**
 * `layout` is for pages in another language, which can break only the layout. `contrast` is for another color scheme,
 * which can break only the contrast.
 */
type Checks = 'all' | 'layout' | 'contrast'

export const checksIn = (locale: string): Checks => (locale === 'de' ? 'all' : 'layout')
export const problems = (locale: string) => (checksIn(locale) === 'all' ? 'layout or accessibility' : 'layout')

/** Opens a page at phone size and passes it to `show`. Fails if the console shows an error that does not match `mayComplain`. */
export async function onEveryScreen(
  browser: Browser,
  show: (page: Page, isWell: () => Promise<void>) => Promise<void>,
  { mayComplain, checks, ...reader }: BrowserContextOptions & { mayComplain?: RegExp; checks?: Checks } = {},
): Promise<void> {
  const context = await browser.newContext({ ...reader, viewport: phone })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await show(page, async () => expect(await problemsOf(page, checks)).toEqual([]))
  expect(complaints.filter((complaint) => !mayComplain?.test(complaint))).toEqual([])
  await context.close()
}

/** Reports pages that are wider than the screen, and violations of WCAG 2.2 AA. Leaves the page at phone size. */
export async function problemsOf(page: Page, checks: Checks = 'all'): Promise<string[]> {
  const found: string[] = []
  // Waits for pending quotes, because the response to a quote would remove the attribute `data-asking` that
  // `violations` sets.
  await expect(page.locator('html')).not.toHaveAttribute('data-asking')
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    // Unlike `page.evaluate`, a locator waits until the root element exists.
    const excess = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    if (excess > 0) found.push(`${excess} px wider than ${size.width} px`)
    if (checks === 'layout') continue
    for (const frame of page.frames()) found.push(...(await violations(frame, checks)))
  }
  return found
}

async function violations(frame: Frame, checks: Checks): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(await axeSource)
  const rules = checks === 'contrast' ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  return frame.evaluate(async (rules) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const violated = async (runOnly: string[], state = '') => {
      const found = await run(document, { iframes: false, resultTypes: ['violations'], runOnly })
      return found.violations.map(({ id, nodes }) => `${id}${state}: ${nodes[0]?.html}`)
    }
    const setPending = (isPending: boolean) => {
      document.documentElement.toggleAttribute('data-asking', isPending)
      for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()
    }
    const found = await violated(rules)
    // A page without figures that change color while a quote is pending needs no second check.
    if (!document.querySelector('[class*="in-data-asking"]')) return found
    setPending(true)
    found.push(...(await violated(['color-contrast'], ' while a quote is pending')))
    setPending(false)
    return found
  }, rules)
}

/** Returns the layout shifts since the page was opened. */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        type Shift = PerformanceEntry & {
          readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
        }
        const moved = ({ startTime, sources }: Shift) => {
          const texts = sources.map(({ node, previousRect, currentRect }) =>
            JSON.stringify([node?.nodeName, node?.textContent?.slice(0, 60), previousRect, currentRect]),
          )
          return [`at ${startTime} ms`, ...texts]
        }
        const observer = new PerformanceObserver((list) => resolve((list.getEntries() as Shift[]).flatMap(moved)))
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve([]), 300)
      }),
  )
