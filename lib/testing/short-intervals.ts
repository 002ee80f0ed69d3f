import { vi } from 'vitest'

/**
 * Shortens every interval that starts later to a twentieth, until the returned spy or all mocks are restored. A fake
 * timer would not help, because `expect.poll` advances it.
 */
export function shortenIntervals() {
  const { setInterval: real } = globalThis
  return vi.spyOn(globalThis, 'setInterval').mockImplementation((run, ms) => real(run, (ms ?? 0) / 20))
}
