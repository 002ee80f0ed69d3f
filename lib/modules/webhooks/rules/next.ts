/** A pending delivery that has not been attempted yet. */
export interface Unstarted {
  readonly entityId: string
  readonly causationId: string
  /** When its attempt is due, in real time. */
  readonly runAt: Date
  /** Whether it is due, and nobody else is about to attempt it. */
  readonly isReady: boolean
}

/**
 * The first of `unstarted`, which are in the order of their events, that can be attempted side by side: up to the first
 * one that waits for an answer, since no later event may be attempted before it. `unanswered` are under way.
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

/** As many first attempts and retries as there is room for, the longest due first; each kind keeps its order. */
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
