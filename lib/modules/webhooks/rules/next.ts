export interface Unstarted {
  readonly entityId: string
  readonly causationId: string
  readonly runAt: Date
  /** Whether the attempt is due and no process has claimed its task. */
  readonly isReady: boolean
}

/**
 * Returns the first events whose attempts can run concurrently, in order. Stops at the first event that must wait, because a later event must not overtake it.
 * `unanswered` contains the attempts in progress.
 */
export function startable<One extends Unstarted>(
  unstarted: readonly One[],
  unanswered: readonly Pick<Unstarted, 'entityId' | 'causationId'>[],
): One[] {
  const entities = new Set(unanswered.map(({ entityId }) => entityId))
  const causes = new Set(unanswered.map(({ causationId }) => causationId))
  const end = unstarted.findIndex(({ entityId, causationId, isReady }) => {
    const waits = !isReady || entities.has(entityId) || causes.has(causationId)
    entities.add(entityId)
    causes.add(causationId)
    return waits
  })
  return unstarted.slice(0, end === -1 ? undefined : end)
}

/**
 * Merges first attempts and retries into at most `room` attempts, longest overdue first. The order of `first` and the
 * order of `retries` do not change.
 */
export function merge<One extends Pick<Unstarted, 'runAt'>>(
  first: readonly One[],
  retries: readonly One[],
  room: number,
) {
  const [firsts, others] = [[...first], [...retries]]
  const merged: One[] = []
  while (merged.length < room) {
    const [one, other] = [firsts[0], others[0]]
    const next = other && (!one || other.runAt < one.runAt) ? others.shift() : firsts.shift()
    if (!next) break
    merged.push(next)
  }
  return merged
}
