import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { config } from '@/lib/platform/config.ts'
import { aGate } from '@/lib/testing/gate.ts'
import { fileRoute } from './file-route.ts'

vi.mock('@/lib/platform/log.ts', () => ({ log: { error: () => undefined } }))
vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { config: () => read }
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise<never>(() => undefined)

const download = (take: () => Promise<{ fileName: string; parts: AsyncGenerator<string> } | null>) =>
  fileRoute({ page: 'csv', pathOf: () => '/csv', contentType: 'text/csv' }, take).POST(
    new Request(`${config().publicBaseUrl}/csv`, {
      method: 'POST',
      headers: { origin: config().publicBaseUrl, 'sec-fetch-site': 'same-origin' },
    }),
    { params: Promise.resolve({}) },
  )
async function* behind(ready: Promise<void>) {
  await ready
  yield 'id'
}

it('a download waits at least a minute for the first part of the file, which can need several slow SQL statements', async () => {
  const ready = aGate()
  const answer = download(async () => ({ fileName: 'a.csv', parts: behind(ready.opened) }))
  await vi.advanceTimersByTimeAsync(60_000)
  ready.open()
  expect((await answer).status).toBe(200)
})

it.each([
  [
    'the first part of a file is not read within 90 seconds',
    async () => ({ fileName: 'a.csv', parts: behind(never) }),
    90,
  ],
  ['a file is not found within 20 seconds', () => never, 20],
] as const)('a download gets 503 if %s', { timeout: 30_000 }, async (_, take, seconds) => {
  const answer = download(take)
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  expect((await answer).status).toBe(503)
})

it('if a later part of a file fails, the download ends with an error instead of as a complete file', async () => {
  async function* parts() {
    yield 'first\n'
    throw new Error('ECONNRESET')
  }
  const answer = await download(async () => ({ fileName: 'a.csv', parts: parts() }))
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first\n')
  await expect(reader?.read()).rejects.toThrow('ECONNRESET')
})
