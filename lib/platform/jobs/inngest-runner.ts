import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { within } from '../within.ts'
import { giveBackTasks, hasLeft, longestWait } from './handed-over.ts'
import { type Asked, ServerWatch } from './server-watch.ts'
import type { Choice, ClaimedTask, TaskRunner, TaskServer } from './task-runner.ts'
import { watchTaskServer } from './task-server-state.ts'
import type { TaskClaim } from './tasks.ts'

/** The server and how it is reached. */
interface Server {
  readonly leaseMs: number
  readonly fallback: boolean
  readonly baseUrl: string | null
  /** Registers the functions; an answer that is no success says why. */
  readonly register: () => Promise<Response>
  readonly send: (name: string, id: string, taskIds: readonly string[]) => Promise<void>
}

/** Longer than the library's own attempts to send. */
const patienceMs = 15_000
const registerEveryMs = 10_000
/** A server that is away may have forgotten us, or be another one by now: the functions are registered again this often. */
const registerAgainMs = 30_000

/** Hands tasks to an Inngest server, those of one type together. */
export class InngestRunner implements TaskRunner, TaskServer {
  readonly leaseMs: number
  readonly taskServer: TaskServer = this
  private readonly watch: ServerWatch
  private registeredAt = Number.NEGATIVE_INFINITY
  private registering: Promise<void> | undefined
  private registerAt = Number.NEGATIVE_INFINITY
  private probe: { readonly claim: TaskClaim; readonly until: number } | null = null
  private isProbing = false
  private givenUp = new AbortController()

  constructor(private readonly server: Server) {
    this.leaseMs = server.leaseMs
    this.watch = new ServerWatch(server.fallback)
  }

  run(task: ClaimedTask): Promise<void> {
    return this.send([task])
  }

  batchOf() {
    return (tasks: readonly ClaimedTask[]) => this.send(tasks)
  }

  async look(): Promise<Choice> {
    watchTaskServer(this.watch)
    const now = performance.now()
    const waited = await longestWait()
    const choice = this.watch.choose({
      now,
      waitingSince: waited === null ? null : now - waited,
      probe: await this.probed(now),
    })
    this.isProbing = choice === 'probe'
    this.say(now, null)
    this.register(now)
    return choice
  }

  giveUp(): void {
    this.givenUp.abort(new Error('this process is being stopped'))
    this.givenUp = new AbortController()
  }

  private async probed(now: number) {
    if (!this.probe) return 'none'
    const left = await hasLeft(this.probe.claim)
    if (now < this.probe.until && !left) return 'waits'
    const isBegun = now < this.probe.until
    this.probe = null
    return isBegun ? 'begun' : 'lost'
  }

  /** One attempt at a time, and the next one a while after its end. */
  private register(now: number): void {
    const isRegistered = this.registeredAt > now - (this.watch.away(now) ? registerAgainMs : Number.POSITIVE_INFINITY)
    if (isRegistered || this.registering || now < this.registerAt) return
    this.registeredAt = Number.NEGATIVE_INFINITY
    this.registering = this.tryToRegister().finally(() => {
      this.registering = undefined
      this.registerAt = performance.now() + registerEveryMs
    })
  }

  private async tryToRegister(): Promise<void> {
    const { signal } = this.givenUp
    try {
      const answer = await within(patienceMs, this.server.register(), signal)
      if (!answer.ok) throw new Error(`registration refused: ${await reasonOf(answer)}`)
      this.registeredAt = performance.now()
      this.watch.reached('to register')
      log.info({ server: this.server.baseUrl }, 'registered with the Inngest server')
    } catch (error) {
      if (!signal.aborted) this.failed('to register', shortError(error), null)
    }
  }

  /** A batch that cannot be sent is given back, without an error of its tasks: they have not been run. */
  private async send(tasks: readonly ClaimedTask[]): Promise<void> {
    const [first] = tasks
    if (!first) return
    if (this.isProbing) {
      this.probe = { claim: first, until: performance.now() + this.leaseMs }
      this.watch.probed(performance.now())
    }
    const ids = tasks.map(({ taskId }) => taskId)
    const { signal } = this.givenUp
    try {
      await within(patienceMs, this.server.send(first.name, `${first.taskId}:${first.claimVersion}`, ids), signal)
      this.watch.reached('to run tasks')
    } catch (error) {
      this.probe = null
      if (!signal.aborted) this.failed('to run tasks', shortError(error), first.name)
      await giveBackTasks(tasks)
    }
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

/** What the library says about a registration that did not succeed, on one short line. */
async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text()
  const said = /"message":"([^"]+)"/.exec(text)?.[1] ?? ''
  return `${answer.status} ${said.replaceAll(/\s+/g, ' ')}`.trim().slice(0, 200)
}
