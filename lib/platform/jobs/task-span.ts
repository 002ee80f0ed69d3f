import type { SpanOptions } from '../tracing.ts'

/**
 * A task that runs within this time after it was enqueued is part of the trace of its cause. A later task has its own
 * trace with a link to the cause.
 */
const partOfCauseMs = 60 * 60_000
const mostLinks = 32

interface Caused {
  readonly trace: string | null
  readonly created_at: Date
  readonly attempts: number
}

export function spanOfTasks(tasks: readonly Caused[], now = Date.now()): SpanOptions {
  const causes = [...new Set(tasks.flatMap(({ trace }) => trace ?? []))]
  const isSoon = tasks.every(({ created_at }) => now - created_at.getTime() < partOfCauseMs)
  const [cause = null, ...others] = causes
  const attributes = {
    'task.count': tasks.length,
    'task.attempt': Math.max(0, ...tasks.map(({ attempts }) => attempts)),
  }
  return others.length === 0 && isSoon
    ? { attributes, parent: cause }
    : { attributes, links: causes.slice(0, mostLinks) }
}
