import { vi } from 'vitest'

let laterMs = 0

export function uncached<T>(ask: () => Promise<T>): Promise<T> {
  laterMs += 60_000
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + laterMs)
  const answer = ask()
  now.mockRestore()
  return answer
}
