import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { listening } from '@/lib/testing/listening.ts'
import { subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

it('examples/saas-nextjs/year.test.mjs passes against the service', async () => {
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
      // If the program fails, the error contains its output, so the assertion below prints the output.
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toMatch(/^# pass 5$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
  } finally {
    await listener.close(0)
  }
})
