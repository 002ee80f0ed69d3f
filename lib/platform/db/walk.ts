/** A part of a walk through rows in the order of their ids. */
export interface Walked {
  /** How many rows it looked at; fewer than it was asked to at the end of the rows. */
  readonly seen: number
  readonly removed: number
  /** The id of the last one; null if there was none. */
  readonly last: string | null
}

/** One statement of a walk: rows made before a moment, from behind an id on. */
export interface OldRows {
  readonly before: Date
  readonly after: string
  readonly limit: number
}

export const nothingWalked: Walked = { seen: 0, removed: 0, last: null }

const atOnce = 1_000

/**
 * Walks through rows that may be removed, a thousand in each statement, from behind `from` on: a row that has to stay is
 * passed and not met again. After each statement it waits as long as that took, so that it takes at most half of a
 * connection, and others find the disk free. Ends at the end of the rows, or when `ms` are over.
 * @returns how many rows were removed, and where the walk continues; an empty text at its end
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
