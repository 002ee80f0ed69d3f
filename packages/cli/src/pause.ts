import { setTimeout as wait } from 'node:timers/promises'

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
