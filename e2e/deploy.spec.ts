import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { aDatabase, killAll, priorities, replaceAll, start, stopAll } from './own-service.ts'
import { aStorefront, commandLine } from './shop.ts'
import { expect, test } from './test.ts'

test.afterEach(killAll)

const everyMs = 40

/** Error codes of a connection that is refused, or that closes before a response. */
const unanswered: readonly (number | string)[] = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']

/** Sends 25 requests per second until stopped, without waiting for responses. */
function load(send: (n: number) => Promise<number>) {
  const outcomes: (number | string)[] = []
  const sent: Promise<unknown>[] = []
  let more = true
  const sending = (async () => {
    const began = performance.now()
    for (let n = 0; more; n++) {
      sent.push(
        send(n).then(
          (status) => outcomes.push(status),
          (error) => outcomes.push(error.cause?.code ?? String(error)),
        ),
      )
      await sleep(Math.max(0, began + (n + 1) * everyMs - performance.now()))
    }
    await Promise.all(sent)
  })()
  return {
    outcomes,
    async stop() {
      more = false
      await sending
    },
  }
}

test('no request fails during a deployment, and no request is lost during a shutdown', async ({ page }) => {
  const databaseUrl = await aDatabase('rolling')
  const environment = { DATABASE_URL: databaseUrl, WEB_PROCESSES: '2', RATE_LIMIT_TEST: '0' }
  const { testKey } = await aStorefront(commandLine(environment))
  const address = await start('all', environment)
  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${address}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const create = (name: string, n: number) =>
    api('POST', '/customers', { email: `${name}${n}@example.com`, name: 'Ada', country: 'NL' })
  expect(await create('first', 0)).toBe(201)

  const during = load((n) => (n % 2 === 0 ? create('during', n) : api('GET', '/customers?limit=1')))
  await replaceAll()
  await during.stop()
  expect(during.outcomes.length).toBeGreaterThan(50)
  expect([...new Set(during.outcomes)].sort()).toEqual([200, 201])
  expect((await page.goto(`${address}/checkout/unknown`))?.status()).toBe(404)
  await expect(page.locator('h1')).toBeVisible()

  // Two processes serve requests. The third runs tasks at a lower priority.
  if (process.platform === 'linux') expect(await priorities()).toEqual([0, 0, 10])

  const metrics = await (await fetch(`${address}/metrics`)).text()
  const created = metrics.match(/_count\{method="POST",route="\/v1\/customers",status="201"\} (\d+)/)?.[1]
  expect(Number(created)).toBe(1 + during.outcomes.filter((status) => status === 201).length)

  const last = load((n) => create('last', n))
  await expect.poll(() => last.outcomes.length).toBeGreaterThan(50)
  expect(await stopAll()).toEqual([0])
  await last.stop()
  const answered = last.outcomes.filter((outcome) => outcome === 201).length
  expect(last.outcomes.filter((outcome) => outcome !== 201 && !unanswered.includes(outcome))).toEqual([])
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query("SELECT count(*)::int AS count FROM customers WHERE email LIKE 'last%'")
  await client.end()
  expect(rows).toEqual([{ count: answered }])
})
