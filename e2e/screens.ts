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

interface Reader extends BrowserContextOptions {
  readonly mayComplain?: RegExp
  readonly checks?: Checks
  /** Whether each page is also checked for contrast in dark mode. */
  readonly alsoInDark?: boolean
}

/** Opens a page at phone size and passes it to `show`. Fails if the console shows an error that does not match `mayComplain`. */
export async function onEveryScreen(
  browser: Browser,
  show: (page: Page, isWell: () => Promise<void>) => Promise<void>,
  { mayComplain, checks, alsoInDark, ...reader }: Reader = {},
): Promise<void> {
  const context = await browser.newContext({ ...reader, viewport: phone })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await show(page, async () => {
    expect(await problemsOf(page, checks)).toEqual([])
    if (!alsoInDark) return
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await problemsOf(page, 'contrast'), 'in dark mode').toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  })
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
    for (const frame of page.frames()) found.push(...(await violations(frame, checks, size === desktop)))
  }
  return [...new Set(found)]
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules whose result depends on the place of an element. */
const placeRules = ['target-size', 'scrollable-region-focusable']

/**
 * At the first size, all rules run on the whole page. At the second size, all rules run on the elements that were not
 * visible at the first size or have other colors, and the rules for the places of elements run on the whole page.
 */
async function violations(frame: Frame, checks: Checks, isFirstSize: boolean): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(await axeSource)
  const rules = checks === 'contrast' ? ['color-contrast'] : allRules
  const again = checks === 'contrast' ? [] : placeRules
  return frame.evaluate(
    async ({ rules, again, isFirstSize }) => {
      const memory = window as unknown as { axe: typeof axe; looks?: Map<Element, string> }
      const violated = async (within: Element[], runOnly: string[], state = '') => {
        if (within.length === 0 || runOnly.length === 0) return []
        const options = { iframes: false, resultTypes: ['violations' as const], runOnly }
        const whole = within[0] === document.documentElement
        const found = await memory.axe.run(whole ? document : { include: within }, options)
        return found.violations.map(({ id, nodes }) => `${id}${state}: ${nodes[0]?.html}`)
      }
      const finishTransitions = () => {
        for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()
      }
      const looksNow = () => {
        const looks = new Map<Element, string>()
        for (const each of document.querySelectorAll('*')) {
          if (!each.checkVisibility({ visibilityProperty: true })) continue
          const style = getComputedStyle(each)
          const colors = [style.color, style.backgroundColor, style.backgroundImage, style.opacity]
          looks.set(each, [...colors, style.fontSize, style.fontWeight, style.position, style.clipPath].join())
        }
        return looks
      }
      /** The outermost elements that have changed. */
      const changedSince = (before: Map<Element, string>, now: Map<Element, string>) => {
        const changed: Element[] = []
        for (const [element, look] of now)
          if (before.get(element) !== look && !changed.at(-1)?.contains(element)) changed.push(element)
        return changed
      }
      const setPending = (isPending: boolean) => {
        document.documentElement.toggleAttribute('data-asking', isPending)
        finishTransitions()
      }
      // A new color scheme starts transitions of colors.
      finishTransitions()
      const root = [document.documentElement]
      const looks = looksNow()
      const found = await violated(isFirstSize ? root : changedSince(memory.looks ?? new Map(), looks), rules)
      if (!isFirstSize) found.push(...(await violated(root, again)))
      memory.looks = looks
      // These figures change color while a quote is pending.
      const figures = [...document.querySelectorAll('[class*="in-data-asking"]')]
      if (figures.length === 0) return found
      setPending(true)
      found.push(...(await violated(figures, ['color-contrast'], ' while a quote is pending')))
      setPending(false)
      return found
    },
    { rules, again, isFirstSize },
  )
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
