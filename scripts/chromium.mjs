// @ts-check
// A browser for the browser tests: an installed one, else the system's package, else Playwright's own.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './environment.mjs'
import { run, step } from './progress.mjs'
import { UserFacingError } from './user-facing-error.mjs'

const OF_SYSTEM = '/usr/bin/chromium'
const APT = '/usr/bin/apt-get'

/** Finds Chromium, or installs it. Throws a UserFacingError if that is not possible. */
export async function findChromium() {
  if (await isThere()) return
  if (process.getuid?.() === 0 && existsSync(APT)) {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    await step('Installing Chromium (apt-get)', async () => {
      await run('apt-get update', APT, ['update'], options)
      await run('apt-get install chromium', APT, ['install', '-y', '--no-install-recommends', 'chromium'], options)
    })
  } else {
    await step('Installing Chromium (playwright install)', () =>
      run('playwright install chromium', path.join(root, 'node_modules/.bin/playwright'), ['install', 'chromium']),
    )
  }
  if (!(await isThere()))
    throw new UserFacingError('There is no Chromium, and none could be installed: the browser tests cannot run.')
}

async function isThere() {
  if (existsSync(OF_SYSTEM)) return true
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}
