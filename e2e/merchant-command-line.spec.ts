import { triggerable } from '../packages/cli/src/events.ts'
import { User } from '../packages/cli/test/terminal.ts'
import { expect, test } from './test.ts'

test('the command `listen` forwards every event that the command `trigger` creates', async ({
  shop,
  shopUrl,
  merchant,
  baseURL,
}) => {
  test.setTimeout(900_000)
  const user = new User({ WEBHOOK_SECRET: merchant.secret })
  const key = await user.run(`login --url ${baseURL} --key-file -`, {}, [shop.testKey])
  expect(key, key.error).toMatchObject({ code: 0 })
  // Polls as rarely as a user's terminal, so that the polls do not slow down the other tests.
  const { written, ended, stop } = user.start(`listen --forward-to ${shopUrl}`, { pollMs: 1_000 })
  await expect.poll(() => written.out).toContain('Listening')
  const ids: string[] = []
  for (const name of triggerable) {
    const { code, out, error } = await user.run(`trigger ${name} --json`, { pollMs: 100 })
    expect(code, `${name}: ${error}`).toBe(0)
    const event = JSON.parse(out)
    expect(event).toMatchObject({ eventName: name, id: expect.stringMatching(/^webhook_event_/) })
    ids.push(event.id)
  }
  const received = () => merchant.received.map(({ id }) => id)
  await expect.poll(() => ids.filter((id) => !received().includes(id))).toEqual([])
  expect(new Set(received()).size).toBe(received().length)
  expect(merchant.received.filter(({ verified }) => !verified)).toEqual([])
  stop()
  expect(await ended).toBe(0)
  user.leave()
})

test('the command `seed` creates a month of history, and `open portal` opens the portal of the newest customer', async ({
  page,
  shop,
  baseURL,
}) => {
  const user = new User({ BILLHOOK_URL: baseURL ?? '', BILLHOOK_KEY: shop.testKey })
  const { code, out, error, progress } = await user.run('seed')
  expect(code, error).toBe(0)
  expect(out).toMatch(/Sales +3\n/)
  expect(progress.at(-1)).toContain('Month 1')
  const { url } = await user.json('open portal')
  await page.goto(url)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('main')).toContainText('(command line)')
  user.leave()
})
