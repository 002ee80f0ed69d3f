import { vi } from 'vitest'

/**
 * Calls `ask` without results that earlier calls shared (`shared` in lib/platform/shared.ts), and shares its result with no later call:
 * a difference from NaN is below no limit, so no result is fresh.
 */
export function uncached<T>(ask: () => Promise<T>): Promise<T> {
  const now = vi.spyOn(performance, 'now').mockReturnValue(Number.NaN)
  const answer = ask()
  now.mockRestore()
  return answer
}
