// `npm run screenshots` saves pictures in `screenshots/` by language, color scheme, and width.
// The argument is `admin`, `readme`, or a part of the names of hosted pages.
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { Locale } from '../lib/kernel/locale.ts'
import config from '../playwright.config.ts'
import { photographAdminArea } from './admin-pictures.ts'
import { findChromium } from './chromium.mjs'
import { makeSheets } from './contact-sheets.ts'
import { documentOf, everyPage, stylesOfPages } from './drawn-pages.tsx'
import { root } from './environment.mjs'
import { prepareFolder } from './old-pictures.ts'
import { step } from './progress.mjs'
import { photographForReadme } from './readme-pictures.ts'
import { command, UserFacingError } from './user-facing-error.mjs'

const locales: readonly Locale[] = ['en', 'de', 'pl']
const looks = ([1280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)
const folder = path.join(root, 'screenshots')

const folderOf = (locale: Locale, { width, colorScheme }: (typeof looks)[number]) =>
  path.join(folder, `hosted-${locale}-${colorScheme}-${width}`)

async function photograph(page: Page, name: string, locale: Locale): Promise<void> {
  for (const look of looks) {
    const { width, colorScheme } = look
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const file = path.join(folderOf(locale, look), `${name}.png`)
    await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
    if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      console.log(`wider than the screen: ${path.relative(root, file)}`)
  }
}

async function photographHostedPages(browser: Browser, wanted: string): Promise<void> {
  const pages = [...everyPage()].filter(([name]) => name.includes(wanted))
  if (pages.length === 0) throw new UserFacingError(`There is no page whose name contains "${wanted}".`)
  const styles = await stylesOfPages()
  const page = await browser.newPage()
  for (const locale of locales) {
    for (const look of looks) prepareFolder(folderOf(locale, look), wanted)
    await step(`Taking pictures of ${pages.length} pages (${locale})`, async () => {
      for (const [name, drawn] of pages) {
        await page.setContent(await documentOf(drawn, locale, styles))
        await photograph(page, name, locale)
      }
      for (const look of looks) await makeSheets(page, folderOf(locale, look), look.width)
    })
  }
}

async function main() {
  const wanted = process.argv[2] ?? ''
  await findChromium()
  const browser = await chromium.launch(config.use?.launchOptions)
  try {
    if (wanted !== 'readme' && wanted !== 'admin') await photographHostedPages(browser, wanted)
    if (wanted === '' || wanted === 'admin') await photographAdminArea(browser, folder)
    if (wanted === '' || wanted === 'readme') await photographForReadme(browser)
  } finally {
    await browser.close()
  }
}

command(main)
