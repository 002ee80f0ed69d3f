// Writes the light and dark pictures of README.md to `docs/images/`.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { codeOf } from '../e2e/operator.ts'
import { start, stopAll } from '../e2e/own-service.ts'
import type { Demo } from './demo.ts'
import { documentOf, everyPage, stylesOfPages } from './drawn-pages.tsx'
import { root } from './environment.mjs'

const size = { width: 1280, height: 800 }
const folder = path.join(root, 'docs/images')

async function photograph(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const file = path.join(folder, `${name}-${colorScheme}.webp`)
    await sharp(await page.screenshot({ animations: 'disabled' }))
      .webp({ quality: 80 })
      .toFile(file)
    console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KiB`)
  }
}

async function photographCheckout(page: Page): Promise<void> {
  const checkout = everyPage().get('checkout-open')
  if (!checkout) throw new Error('There is no page with the name "checkout-open".')
  await page.setContent(await documentOf(checkout, 'en', await stylesOfPages()))
  await photograph(page, 'checkout')
}

async function signIn(page: Page, baseUrl: string, { email, password }: Demo): Promise<void> {
  await page.goto(`${baseUrl}/admin`)
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/second-factor$/)
  const secret = (await page.locator('main code').first().textContent()) ?? ''
  await page.locator('[name=code]').fill(codeOf(secret))
  await page.locator('main button[type=submit]').click()
  await page.waitForURL(/\/admin$/)
}

async function photographAdminArea(page: Page): Promise<void> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-pictures-'))
  // If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(data, 0o711)
  try {
    const baseUrl = await start('all', { BILLHOOK_DATA: data, DATABASE_URL: '', PUBLIC_BASE_URL: '' })
    const demo: Demo = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'))
    await signIn(page, baseUrl, demo)
    await page.goto(`${baseUrl}/admin/test/${demo.storefrontId}/orders`)
    await expect(page.locator('main h1')).toBeVisible()
    await photograph(page, 'admin')
  } finally {
    await stopAll()
    rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

export async function photographForReadme(browser: Browser): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const page = await browser.newPage({ viewport: size })
  await photographCheckout(page)
  await photographAdminArea(page)
}
