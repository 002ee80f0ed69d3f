import { expect, it, vi } from 'vitest'
import { formStateOf, leaveFor } from './form-state.ts'

vi.mock('../config.ts', async (actual) => {
  const { readConfig } = await actual<typeof import('../config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { config: () => read }
})

const kept = (typed: Record<string, string>) => {
  const { redirectTo, cookie = '' } = leaveFor('operator_1', '/page', { typed, problems: { name: 'Wrong.' } })
  expect(cookie.length).toBeLessThan(4096)
  return formStateOf('operator_1', redirectTo.split('form=')[1] ?? null, cookie.split(';')[0] ?? null)
}

it('the longest entered values of a form are dropped until the form state fits into a cookie', () => {
  const [short, long] = ['ä'.repeat(10), 'ä'.repeat(1300)]
  expect(kept({ name: short, text: long })).toEqual({
    typed: { name: short, text: long },
    problems: { name: 'Wrong.' },
  })
  expect(kept({ name: short, text: long, other: `${long}!` }).typed).toEqual({ name: short, text: long })
})

it('megabytes of entered values are dropped without serializing the form state for each value', () => {
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`a${n}`, 'x'.repeat(60_000)]))
  const stringify = vi.spyOn(JSON, 'stringify')
  expect(kept({ name: 'Ada', ...many }).typed).toEqual({ name: 'Ada' })
  expect(stringify.mock.calls.length).toBeLessThan(10)
  stringify.mockRestore()
})
