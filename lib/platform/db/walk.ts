export interface Walked {
  /** The number of examined rows. A number below the limit means that no rows follow. */
  readonly seen: number
  readonly removed: number
  readonly last: string | null
}

export interface OldRows {
  readonly before: Date
  readonly after: string
  readonly limit: number
}

export const nothingWalked: Walked = { seen: 0, removed: 0, last: null }

const atOnce = 1_000

/**
 * Examines rows after the id `from`, a thousand per statement. A pause after each statement is as long as the statement
 * took, so that the walk uses at most half of a connection. Stops after `ms` milliseconds. `walkedTo` is
 * empty after the last row.
 */
export async function walk(
  from: string,
  ms: number,
  step: (after: string, limit: number) => Promise<Walked>,
  pause: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<{ readonly removed: number; readonly walkedTo: string }> {
  const began = performance.now()
  let removed = 0
  for (let after = from; ; ) {
    const asked = performance.now()
    const walked = await step(after, atOnce)
    removed += walked.removed
    if (walked.last === null || walked.seen < atOnce) return { removed, walkedTo: '' }
    after = walked.last
    if (performance.now() - began >= ms) return { removed, walkedTo: after }
    await pause(performance.now() - asked)
  }
}
