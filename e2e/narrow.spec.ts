import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

interface Drawn {
  readonly styles: string
  readonly pages: Readonly<Record<string, string>>
}

// One worker runs all tests of this file, because each worker would draw the pages again.
test.describe.configure({ mode: 'default' })

let drawn: Drawn

test.beforeAll(async () => {
  const program = ['--import', 'tsx', 'e2e/fixtures/narrow-pages.tsx']
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 2 ** 28 })
  drawn = JSON.parse(stdout)
})

/** The text spacing of WCAG 1.4.12. */
const spacing = '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

/** The smallest phone. Its width equals a screen of 1280 px at 400 % zoom. */
const narrow = { width: 320, height: 800 }

const withStyles = (html: string) => html.replace('<style></style>', () => `<style>${drawn.styles}</style>`)

async function show(page: Page, name: string): Promise<void> {
  const html = drawn.pages[name]
  if (html === undefined) throw new Error(`No page ${name}`)
  await page.setViewportSize(narrow)
  await page.setContent(withStyles(html))
  await page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '')
  })
}

const closeFolds = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const each of all) each.removeAttribute('open')
  })

/**
 * Finds pages wider than the screen, row links that extend into the next cell, and text columns too narrow for three
 * letters. Opens all collapsed sections first. With `spacing`, checks the page a second time with this style.
 */
const problemsOf = (page: Page, spacing: string | null): Promise<string[]> =>
  page.evaluate((spacing) => {
    const problems = () => {
      const { scrollWidth, clientWidth } = document.documentElement
      const tooWide = scrollWidth > clientWidth ? [`${scrollWidth} of ${clientWidth} px`] : []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const squeezed: string[] = []
      while (texts.nextNode()) {
        const text = texts.currentNode.textContent?.trim() ?? ''
        if (text.length <= 6) continue
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const lines = range.getClientRects().length
        if (lines > 2 && text.length / lines < 3) squeezed.push(`${text} on ${lines} lines`)
      }
      const beyondCell = [...document.querySelectorAll('.row-link')].filter((link) => {
        const cell = link.closest('th, td')?.getBoundingClientRect()
        return cell && link.getBoundingClientRect().right > cell.right + 1
      })
      return [...tooWide, ...squeezed, ...beyondCell.map((link) => `${link.textContent} is wider than its cell`)]
    }
    for (const each of document.querySelectorAll('details')) each.open = true
    const found = problems()
    if (spacing === null) return found
    const style = document.createElement('style')
    style.textContent = spacing
    document.head.append(style)
    return [...found, ...problems().map((each) => `spaced: ${each}`)]
  }, spacing)

test('every page and email fits a width of 320 px, pages fit with wide text spacing too, and no column is too narrow for its text', async ({
  page,
}) => {
  const found: Record<string, string[]> = {}
  await page.setViewportSize(narrow)
  for (const [name, html] of Object.entries(drawn.pages)) {
    await page.setContent(withStyles(html))
    // Email clients control the text spacing, so the spacing check skips emails.
    const problems = await problemsOf(page, name.startsWith('email ') ? null : spacing)
    if (problems.length > 0) found[name] = problems
  }
  expect(found).toEqual({})
})

test('table rows become cards on a phone, and nothing covers a focused element', async ({ page }) => {
  for (const name of ['members', 'order', 'audit']) {
    await show(page, `admin ${name}`)
    const [first] = await page.locator('tbody tr').all()
    expect(await first?.evaluate((each) => each.scrollWidth - each.clientWidth), name).toBe(0)
  }
  await show(page, 'admin members')
  const box = page.getByRole('region', { name: 'Team' })
  await box.focus()
  for (const summary of await box.locator('summary').all()) {
    await closeFolds(page)
    await page.keyboard.press('Tab')
    await expect(summary).toBeFocused()
    const isSeen = await summary.evaluate((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect()
      const middle = (top + bottom) / 2
      return [left + 1, right - 1].every((x) => each.contains(document.elementFromPoint(x, middle)))
    })
    expect(isSeen).toBe(true)
  }
})

test('an audit log entry is at most ten lines high on a phone', async ({ page }) => {
  await show(page, 'admin audit')
  await closeFolds(page)
  for (const row of await page.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBeLessThan(240)
})

test('the first table column has no background in print, so it does not cover the grid lines', async ({ page }) => {
  await show(page, 'admin audit')
  await page.emulateMedia({ media: 'print' })
  const first = page.getByRole('rowheader').first()
  expect(await first.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
})

test('in Portuguese, the error of the postal code field is less than 100 px high on a narrow screen', async ({
  page,
}) => {
  await show(page, 'invoice-update-moved pt')
  expect((await page.locator('#postalCode-error').boundingBox())?.height).toBeLessThan(100)
})

test('a secret is shown in full beside its copy button, and a role name does not overlap the arrow of its select field', async ({
  page,
}) => {
  for (const [name, secret] of [
    ['keys', `test_${'Ab3d'.repeat(10)}`],
    ['endpoints', `whsec_${'Ab3d'.repeat(8)}`],
  ] as const) {
    await show(page, `admin ${name}`)
    await expect(page.getByText(secret, { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: `Copy ${secret}` })).toHaveAttribute('data-copy', secret)
  }
  await show(page, 'admin members')
  for (const select of await page.getByRole('combobox').all()) await expect(select).toHaveCSS('appearance', 'none')
})
