import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Frame, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './test.ts'

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const phone = { width: 390, height: 900 }
const desktop = { width: 1280, height: 900 }

/** Pages at the size of a phone. The console must show no errors except those that match `mayComplain`. */
export async function onEveryScreen(
  browser: Browser,
  show: (page: Page, isWell: () => Promise<void>) => Promise<void>,
  { mayComplain, ...reader }: BrowserContextOptions & { mayComplain?: RegExp } = {},
): Promise<void> {
  const context = await browser.newContext({ ...reader, viewport: phone })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await show(page, async () => expect(await problemsOf(page)).toEqual([]))
  expect(complaints.filter((complaint) => !mayComplain?.test(complaint))).toEqual([])
  await context.close()
}

/** A page wider than the screen, or a rule of WCAG 2.2 AA that fails. Leaves the page at the size of a phone. */
export async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = []
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    // A locator waits until the document has loaded. `page.evaluate` could run before the root element exists.
    const excess = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    if (excess > 0) problems.push(`${excess} px wider than ${size.width} px`)
    for (const frame of page.frames()) problems.push(...(await violations(frame)))
  }
  return problems
}

async function violations(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(await axeSource)
  return frame.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const found = await run(document, {
      iframes: false,
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** The elements that have moved since the page opened: the text, and the old and new position. */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        type Shift = PerformanceEntry & {
          readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
        }
        const moved = (shift: Shift) =>
          shift.sources.map(({ node, previousRect, currentRect }) =>
            JSON.stringify([node?.nodeName, node?.textContent?.slice(0, 60), previousRect, currentRect]),
          )
        const observer = new PerformanceObserver((list) =>
          resolve((list.getEntries() as Shift[]).flatMap((shift) => [`at ${shift.startTime} ms`, ...moved(shift)])),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve([]), 300)
      }),
  )
