import { vi } from 'vitest'

let laterMs = 0

/** Asks for what is otherwise shared by all who ask within some seconds: more than those have passed for the one who asks. */
export function askedAnew<T>(ask: () => Promise<T>): Promise<T> {
  laterMs += 60_000
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + laterMs)
  const answer = ask()
  now.mockRestore()
  return answer
}
