// @ts-check
// Finds a browser for tests: an installed browser, the package of the system, or the download of Playwright.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './environment.mjs'
import { run, step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** The headless shell comes first, because it needs half the processor time of full Chromium. */
const packages = ['chromium-headless-shell', 'chromium']
const APT = '/usr/bin/apt-get'

export const systemChromium = () => packages.map((name) => `/usr/bin/${name}`).find((file) => existsSync(file))

/** The tests need this font, because they measure the width of texts. */
const FONT = 'fonts-liberation'
const hasFont = () => existsSync('/usr/share/fonts/truetype/liberation')

export async function findChromium() {
  if (systemChromium()?.endsWith('-shell') && hasFont()) return
  if (process.getuid?.() === 0 && existsSync(APT)) await step('Installing Chromium (apt-get)', installPackage)
  else if (!(await isThere()))
    await step('Installing Chromium (playwright install)', () =>
      run('playwright install chromium', path.join(root, 'node_modules/.bin/playwright'), ['install', 'chromium']),
    )
  if (!(await isThere())) throw new UserFacingError('Chromium could not be installed, so the browser tests cannot run.')
}

async function installPackage() {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = (/** @type {string} */ name) =>
    run(`apt-get install ${name}`, APT, ['install', '-y', '--no-install-recommends', name], options)
  const [shell = '', whole = ''] = packages
  try {
    await run('apt-get update', APT, ['update'], options)
    await install(FONT)
    await install(shell)
  } catch (error) {
    if (systemChromium()) return
    console.error(error instanceof Error ? error.message : error)
    await install(whole)
  }
}

async function isThere() {
  if (systemChromium()) return true
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}
