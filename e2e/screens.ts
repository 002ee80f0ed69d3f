import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { expect } from './test.ts'

/**
 * Shows a page at the sizes of a phone and of a desktop. `isWell` checks that the page is no wider than the screen and
 * meets WCAG 2.2 AA, as far as a program can tell; the console must show no errors except those that match
 * `mayComplain`.
 */
export async function onEveryScreen(
  browser: Browser,
  show: (page: Page, isWell: () => Promise<void>) => Promise<void>,
  { mayComplain, ...reader }: BrowserContextOptions & { mayComplain?: RegExp } = {},
): Promise<void> {
  for (const width of [390, 1280]) {
    const context = await browser.newContext({ ...reader, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await show(page, async () => {
      // A locator waits for the document of a page that is just being loaded; `page.evaluate` meets one without an element.
      const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect(wide).toBe(0)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    })
    expect(complaints.filter((complaint) => !mayComplain?.test(complaint))).toEqual([])
    await context.close()
  }
}
