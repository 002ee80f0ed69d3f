import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { listening } from '@/lib/testing/listening.ts'
import { subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

it('the year of examples/saas-nextjs passes against the service', async () => {
  // The program imports the built package, as a merchant's program does.
  await run(process.execPath, [path.join(root, 'packages/sdk/scripts/build.mjs')])
  const listener = await listening()
  try {
    const { key, id } = await subscriptionScenario()
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'year.test.mjs'], {
      cwd: path.join(root, 'examples/saas-nextjs'),
      env: {
        ...process.env,
        BILLHOOK_URL: `http://127.0.0.1:${listener.port}`,
        BILLHOOK_KEY: key,
        SUBSCRIPTION_ID: id,
      },
      // A failed program returns its results too, so that the failed comparison prints them.
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toMatch(/^# pass 5$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  } finally {
    await listener.close(0)
  }
})
