export interface Walked {
  /** How many rows the step looked at. Fewer than requested at the end of the rows. */
  readonly seen: number
  readonly removed: number
  /** The id of the last row; null if there was no row. */
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
 * Walks through rows that may be removed, a thousand per statement, after the id `from`. After each statement the walk
 * pauses for as long as the statement took, so that it uses at most half of a connection.
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
