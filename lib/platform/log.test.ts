import { afterAll, expect, it, vi } from 'vitest'

afterAll(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

it('an empty LOG_LEVEL sets the log level info', async () => {
  vi.resetModules()
  vi.stubEnv('LOG_LEVEL', '')
  const { log } = await import('./log.ts')
  expect(log.level).toBe('info')
})
