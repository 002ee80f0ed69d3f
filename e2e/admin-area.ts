import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page, Response } from '@playwright/test'

const folder = 'app/(admin)/admin/(signed-in)'
/** Paths of all pages behind the log-in, with `x` for each parameter. */
export const adminPages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx')
  .map((file) =>
    path.posix.join(
      '/admin',
      path
        .dirname(file)
        .replace('(service)', '')
        .replaceAll(/\[\w+\]/g, 'x'),
    ),
  )
  .map((address) => address.replace(/\/\.$/, ''))

function pageOf(address: string): string | undefined {
  const parts = address.split('/')
  const fits = (each: string) =>
    each.split('/').length === parts.length &&
    each.split('/').every((part, index) => part === parts[index] || (part === 'x' && parts[index] !== 'new'))
  return adminPages.find((each) => each === address) ?? adminPages.filter(fits).sort((a, b) => b.length - a.length)[0]
}

async function addressesOn(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  return hrefs.filter((href) => href.startsWith(new URL(page.url()).origin)).map((href) => new URL(href).pathname)
}

/** Submits a form without its confirmation code, and returns the path of the page that asks for the code. */
async function confirmPage(page: Page, formUrl: string): Promise<string> {
  await page.goto(formUrl)
  await page
    .locator('main form [name=code]')
    .first()
    .evaluate((code) => {
      const button = code.closest('form')?.querySelector('button')
      code.remove()
      button?.click()
    })
  await page.waitForURL(/\/admin\/confirm\?to=/)
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** Opens each admin page once. Pages in test mode come first, because only test mode has data. */
export async function openEveryPage(
  page: Page,
  baseURL: string,
  { storefront, more }: { storefront: string; more: readonly string[] },
  visit: (which: string, address: string, response: Response) => Promise<void>,
): Promise<void> {
  const live = storefront.replace('/test/', '/live/')
  const next = [storefront, '/admin', live, await confirmPage(page, `${baseURL}${live}/keys`)]
  next.push('/admin/search?q=Lumen', '/admin/sessions/passkeys', ...more)
  const found = new Set<string>()
  for (let address = next.shift(); address !== undefined; address = next.shift()) {
    const which = pageOf(address.split('?')[0] ?? '')
    if (which === undefined || found.has(which)) continue
    const response = await page.goto(`${baseURL}${address}`)
    if (!response?.headers()['content-type']?.startsWith('text/html') || response.status() !== 200) continue
    found.add(which)
    await visit(which, address, response)
    next.push(...(await addressesOn(page)).filter((each) => each.startsWith('/admin')))
  }
}
