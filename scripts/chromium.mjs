// @ts-check
// Finds a browser for the browser tests: an installed one, else the system's package, else Playwright's own.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './environment.mjs'
import { run, step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** Chromium without windows, which needs half the processor time, and full Chromium. */
const packages = ['chromium-headless-shell', 'chromium']
const APT = '/usr/bin/apt-get'

export const systemChromium = () => packages.map((name) => `/usr/bin/${name}`).find((file) => existsSync(file))

/** The tests measure pages, and without this font of the pages a system's own font decides about their widths. */
const FONT = 'fonts-liberation'
const hasFont = () => existsSync('/usr/share/fonts/truetype/liberation')

/** Finds Chromium and the font of the pages, or installs them. Throws a UserFacingError if that is not possible. */
export async function findChromium() {
  if (systemChromium()?.endsWith('-shell') && hasFont()) return
  if (process.getuid?.() === 0 && existsSync(APT)) await step('Installing Chromium (apt-get)', installPackage)
  else if (!(await isThere()))
    await step('Installing Chromium (playwright install)', () =>
      run('playwright install chromium', path.join(root, 'node_modules/.bin/playwright'), ['install', 'chromium']),
    )
  if (!(await isThere()))
    throw new UserFacingError('There is no Chromium, and none could be installed: the browser tests cannot run.')
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
