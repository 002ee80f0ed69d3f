// `npm run screenshots` saves pictures of the fixtures in `screenshots/`: two widths, three languages, light and dark.
// An argument limits them to pages whose name contains it. The pictures of the admin area (`admin`) come from the
// browser test that visits every page. `readme` takes only the pictures of README.md.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { Locale } from '../lib/kernel/locale.ts'
import config from '../playwright.config.ts'
import { findChromium } from './chromium.mjs'
import { documentOf, everyPage, stylesOfPages } from './drawn-pages.tsx'
import { root } from './environment.mjs'
import { show, step } from './progress.mjs'
import { photographForReadme } from './readme-pictures.ts'
import { command, UserFacingError } from './user-facing-error.mjs'

const locales: readonly Locale[] = ['en', 'de', 'pl']
const widths = [1280, 390] as const
const schemes = ['light', 'dark'] as const
const folder = path.join(root, 'screenshots')

/** Returns the names of the pictures that are wider than their screen. */
async function photograph(page: Page, name: string): Promise<string[]> {
  const wide: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = `${name}.${width}.${colorScheme}.png`
      await page.screenshot({ path: path.join(folder, file), fullPage: true, animations: 'disabled' })
      if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
        wide.push(file)
    }
  }
  return wide
}

async function photographAdminArea(): Promise<void> {
  const script = path.join(root, 'scripts/test.mjs')
  const code = await show(process.execPath, [script, 'e2e', 'e2e/admin-pages.spec.ts'], { SCREENSHOTS: folder })
  if (code !== 0) throw new UserFacingError('The visit of the admin area failed; the pictures up to there are kept.')
}

async function main() {
  const wanted = process.argv[2] ?? ''
  if (wanted === 'admin') {
    mkdirSync(folder, { recursive: true })
    await photographAdminArea()
    return
  }
  if (wanted === 'readme') return inBrowser(photographForReadme)
  const pages = [...everyPage()].filter(([name]) => name.includes(wanted))
  if (pages.length === 0) throw new UserFacingError(`There is no page whose name contains "${wanted}".`)
  if (wanted === '') rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const styles = await stylesOfPages()
  await inBrowser(async (browser) => {
    const page = await browser.newPage()
    const wide = await step(`Taking pictures of ${pages.length} pages`, async () => {
      const found: string[] = []
      for (const [name, drawn] of pages) {
        for (const locale of locales) {
          await page.setContent(await documentOf(drawn, locale, styles))
          found.push(...(await photograph(page, `${name}.${locale}`)))
        }
      }
      return found
    })
    for (const file of wide) console.log(`wider than the screen: ${file}`)
    if (wanted === '') await photographAdminArea()
    if (wanted === '') await photographForReadme(browser)
    console.log(`${pages.length * locales.length * widths.length * schemes.length} pictures are in screenshots/.`)
  })
}

async function inBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  await findChromium()
  const browser = await chromium.launch(config.use?.launchOptions)
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

command(main)
