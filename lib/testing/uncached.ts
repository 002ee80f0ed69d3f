import { vi } from 'vitest'

/**
 * Calls `ask`, and shares its result with no earlier or later call (`shared` in lib/platform/shared.ts). The time
 * during the call is NaN, and no result counts as fresh, because every comparison with NaN is false.
 */
export function uncached<T>(ask: () => Promise<T>): Promise<T> {
  const now = vi.spyOn(performance, 'now').mockReturnValue(Number.NaN)
  const answer = ask()
  now.mockRestore()
  return answer
}
