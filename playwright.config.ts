import { defineConfig } from '@playwright/test'
import { systemChromium } from './scripts/chromium.mjs'

const chromium = systemChromium()

/** Pages live for a second. Optimizing their scripts takes longer than it saves. */
const scripts = '--js-flags=--no-opt,--no-maglev'

/** Tests the journeys that earn money, in a real browser, against a service started as by `npm start`. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 3,
  // No time is measured here, and a busy machine takes longer.
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
