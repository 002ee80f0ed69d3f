import { db } from '../db/db.ts'
import { shortError } from '../short-error.ts'
import { areOwnStreamsDue, claimDispatches, type SoughtStreams } from './advance-tasks.ts'
import { type Ended, openStreams } from './open-streams.ts'
import type { ClaimedTask, TaskRunner } from './task-runner.ts'
import { failTask } from './tasks.ts'

export interface Advancing {
  readonly runnerId: string
  readonly storefrontId: string
  readonly runner: TaskRunner
}

export class AdvanceDispatches {
  private readonly running = new Map<string, Promise<void>>()
  private readonly ended = new Map<string, number>()

  constructor(
    private readonly advancing: Advancing,
    private readonly tracked: (run: Promise<void>) => Promise<void>,
  ) {}

  async areAwaited({ storefrontId, leftOut, withBeside }: SoughtStreams): Promise<boolean> {
    return this.running.size > 0 && (withBeside || (await areOwnStreamsDue(storefrontId, leftOut)))
  }

  get size(): number {
    return this.running.size
  }

  runs(): Iterable<Promise<void>> {
    return this.running.values()
  }

  watch(watcher: (ended: Ended) => void): () => void {
    return openStreams().watch((stream, ended) => {
      if (!this.running.has(stream)) return
      this.ended.set(stream, (this.ended.get(stream) ?? 0) + ended.own + ended.beside)
      watcher(ended)
    })
  }

  /**
   * Starts the dispatch task of each due stream, or notifies the dispatch task if it is already running. Calls `onIdle`
   * for a dispatch task that ends without having completed a task. Returns `lost` if another runner has taken over the
   * clock advance.
   */
  async start(
    streams: readonly string[],
    shown: Date,
    onIdle: (stream: string) => void,
  ): Promise<'none' | 'some' | 'lost'> {
    const { storefrontId, runnerId } = this.advancing
    for (const stream of streams) if (this.running.has(stream)) openStreams().nudge(stream)
    const due = streams.filter((stream) => !this.running.has(stream))
    if (due.length === 0) return 'none'
    const claimed = await claimDispatches(storefrontId, runnerId, due)
    for (const { stream, ...task } of claimed) {
      const run = this.run({ ...task, moment: { at: shown, clock: 'apart' } }).then(() => {
        if (!this.ended.has(stream)) onIdle(stream)
      })
      const tracked = this.tracked(run).finally(() => {
        this.running.delete(stream)
        this.ended.delete(stream)
      })
      this.running.set(stream, tracked)
    }
    return claimed.length > 0 ? 'some' : 'lost'
  }

  private run(task: ClaimedTask): Promise<void> {
    return this.advancing.runner.run(task).catch((error) => failTask(db(), task, shortError(error)))
  }

  stop(): void {
    for (const stream of this.running.keys()) openStreams().stop(stream)
  }
}
