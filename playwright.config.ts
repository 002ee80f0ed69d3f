import { defineConfig } from '@playwright/test'
import { systemChromium } from './scripts/chromium.mjs'

const chromium = systemChromium()

/** Browser tests keep each page open for about a second, so optimizing its scripts would cost more time than it saves. */
const scripts = '--js-flags=--no-opt,--no-maglev'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 3,
  // The timeout, in milliseconds, only ends tests that hang. It is long, because a test can take minutes on a busy machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    baseURL: process.env.E2E_BASE_URL,
    trace: 'off',
    ...(chromium && {
      launchOptions: {
        executablePath: chromium,
        args: ['--disable-background-networking', scripts, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      },
    }),
  },
  outputDir: 'test-results',
})
