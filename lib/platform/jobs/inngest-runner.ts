import { randomUUID } from 'node:crypto'
import { hasMark } from '../db/turn.ts'
import { log } from '../log.ts'
import { serviceProblems } from '../outbound/service-problems.ts'
import { shortError } from '../short-error.ts'
import { within } from '../within.ts'
import { giveBackTasks, giveBackWaiting, longestWait } from './handed-over.ts'
import { type Asked, isStalled, ServerWatch } from './server-watch.ts'
import type { Choice, ClaimedTask, TaskRunner, TaskServer } from './task-runner.ts'

interface Server {
  readonly leaseMs: number
  readonly fallbackMs: number | null
  readonly baseUrl: string | null
  readonly register: () => Promise<Response>
  readonly send: (name: string, id: string, taskIds: readonly string[]) => Promise<void>
  readonly probe: (id: string) => Promise<void>
  /** The error in the server's last response; null after a success. */
  readonly problem: (asked: 'register' | 'send') => string | null
}

/** Milliseconds to wait for the server. Longer than the library's own retries take. */
const patienceMs = 15_000
/** Milliseconds between attempts to register or probe a server that may be unreachable. */
const askEveryMs = 3_000
/** Milliseconds after which a probe that has not started counts as lost. */
const probeMs = 4_000
const taskServer = { kind: 'inngest' } as const
/** Milliseconds after which a reported problem expires, because a killed process cannot clear it. */
const stateHoldsMs = 60_000

export class InngestRunner implements TaskRunner, TaskServer {
  readonly leaseMs: number
  readonly taskServer: TaskServer = this
  private readonly watch: ServerWatch
  private isRegistered = false
  private asking: Promise<void> | undefined
  private askAt = Number.NEGATIVE_INFINITY
  private probe: { readonly id: string; readonly until: number } | null = null
  /** `since`: the Unix time in ms at which the oldest waiting task was handed over. `seenAt`: the beginning of the stall (see `stalledSince`). */
  private oldest: { readonly since: number; readonly seenAt: number } | null = null
  private choice: Choice = 'hand over'
  private wasAway = false
  private givenUp = new AbortController()

  constructor(private readonly server: Server) {
    this.leaseMs = server.leaseMs
    this.watch = new ServerWatch(server.fallbackMs)
  }

  run(task: ClaimedTask): Promise<void> {
    return this.send([task])
  }

  batchOf() {
    return (tasks: readonly ClaimedTask[]) => this.send(tasks)
  }

  async look(): Promise<Choice> {
    const now = performance.now()
    let stalledSince = await this.stalledSince(now)
    if (await this.hasBegunProbe(now)) {
      // The server starts a probe only after it has started all earlier tasks. If an earlier task has not started, the server has lost the task.
      if (isStalled({ now, stalledSince })) await giveBackWaiting()
      stalledSince = null
      this.oldest = null
      this.watch.began()
    }
    const choice = this.watch.choose({ now, stalledSince })
    if (choice === 'run here' && this.choice === 'hand over') await giveBackWaiting()
    this.choice = choice
    this.say(now, null)
    this.tellAll(now)
    this.ask(now, this.watch.isSuspect({ now, stalledSince }))
    return choice
  }

  giveUp(): void {
    this.givenUp.abort(new Error('this process is being stopped'))
    this.givenUp = new AbortController()
  }

  /**
   * Returns the beginning of the current stall as a `performance.now()` time; null if no task waits. A stall begins when the oldest waiting task is handed
   * over. If that task has started since the last call, a new stall begins with this call.
   */
  private async stalledSince(now: number): Promise<number | null> {
    const longest = await longestWait()
    if (!longest) this.oldest = null
    else if (!this.oldest || longest.since < this.oldest.since)
      this.oldest = { since: longest.since, seenAt: now - longest.ms }
    else if (longest.since > this.oldest.since) this.oldest = { since: longest.since, seenAt: now }
    return this.oldest?.seenAt ?? null
  }

  private async hasBegunProbe(now: number): Promise<boolean> {
    const { probe } = this
    if (!probe) return false
    const hasBegun = await hasMark(probe.id)
    if (hasBegun || now >= probe.until) this.probe = null
    return hasBegun
  }

  private ask(now: number, isSuspect: boolean): void {
    if ((this.isRegistered && !isSuspect) || this.asking || this.probe || now < this.askAt) return
    this.asking = this.tryToRegister(isSuspect).finally(() => {
      this.asking = undefined
      this.askAt = performance.now() + askEveryMs
    })
  }

  private async tryToRegister(isSuspect: boolean): Promise<void> {
    const { signal } = this.givenUp
    try {
      const answer = await within(patienceMs, this.server.register(), signal)
      if (!answer.ok) throw new Error(`answers ${answer.status} to the registration`)
      this.watch.reached('to register')
      if (!this.isRegistered) log.info({ server: this.server.baseUrl }, 'registered with the Inngest server')
      this.isRegistered = true
    } catch (error) {
      if (!signal.aborted) this.failed('to register', this.reasonOf('register', error), null)
      return
    }
    if (isSuspect) await this.sendProbe(signal)
  }

  private async sendProbe(signal: AbortSignal): Promise<void> {
    const id = `probe ${randomUUID()}`
    try {
      await within(patienceMs, this.server.probe(id), signal)
      this.probe = { id, until: performance.now() + probeMs }
    } catch (error) {
      if (!signal.aborted) this.failed('to run tasks', this.reasonOf('send', error), null)
    }
  }

  /**
   * Sends tasks to the server. Tasks that cannot be sent become due again without an error, because they have not run.
   */
  private async send(tasks: readonly ClaimedTask[]): Promise<void> {
    const [first] = tasks
    if (!first) return
    const ids = tasks.map(({ taskId }) => taskId)
    const { signal } = this.givenUp
    try {
      await within(patienceMs, this.server.send(first.name, `${first.taskId}:${first.claimVersion}`, ids), signal)
      this.watch.reached('to run tasks')
    } catch (error) {
      if (!signal.aborted) this.failed('to run tasks', this.reasonOf('send', error), first.name)
      await giveBackTasks(tasks)
    }
  }

  private reasonOf(asked: 'register' | 'send', error: unknown): string {
    return this.server.problem(asked) ?? shortError(error)
  }

  private tellAll(now: number): void {
    const away = this.watch.away(now)
    if (away) serviceProblems().report(taskServer, away.reason, stateHoldsMs)
    else if (this.wasAway) serviceProblems().resolve(taskServer)
    this.wasAway = away !== null
  }

  private failed(asked: Asked, reason: string, task: string | null): void {
    const now = performance.now()
    this.watch.failed(now, asked, reason)
    this.say(now, task)
  }

  private say(now: number, task: string | null): void {
    const error = this.watch.toSay(now)
    if (error !== null) log.error({ error, server: this.server.baseUrl, task }, 'the Inngest server does not run tasks')
  }
}
