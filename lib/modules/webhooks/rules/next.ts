/** A pending delivery that has not been attempted yet. */
export interface Unstarted {
  readonly entityId: string
  readonly causationId: string
  /** When its attempt is due, in real time. */
  readonly runAt: Date
  /** Whether it is due and no process is about to attempt it. */
  readonly isReady: boolean
}

/**
 * The first events of `unstarted`, in the order of the events, that can be attempted concurrently. The list ends before
 * the first event that waits for a response, because no later event may be attempted before it. `unanswered` are under
 * way.
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

/** As many first attempts and retries as there are places, longest overdue first. Each kind keeps its order. */
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
