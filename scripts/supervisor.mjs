// @ts-check
// Runs web processes on one shared port, and one process for tasks. Restarts a process that dies. A rolling restart
// replaces each process when its successor is ready.
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserFacingError } from './user-facing-error.mjs'

/** @typedef {'web' | 'tasks'} Part */
/** @typedef {{ name: string, type: string }[]} Metrics */
/** @typedef {import('node:cluster').Worker} Process */
/** @typedef {{ part: Part, process: Process }} Slot */

/**
 * @typedef {object} Options
 * @property {string} program sends `ready`, and ends on `stop` or `retire`
 * @property {string[]} args
 * @property {Part[]} parts one for each process, passed in BILLHOOK_PART
 * @property {(line: string) => void} report
 * @property {number} [startMs] the maximum duration of a start
 * @property {number} [stopMs] the maximum duration of a stop, after which the process is killed
 */

/**
 * The maximum wait for the metrics of one process, in milliseconds. While the database hangs, each process needs 1,000 ms for its metrics
 * (`lib/server/usable-database.ts`), so this wait must be longer. It must be shorter than the 3,000 ms that the asking process waits for all metrics
 * (`lib/server/siblings.ts`).
 */
const countMs = 2_000
/**
 * The restart of a process is delayed if the process dies less than this number of milliseconds after its start. Each
 * further delay is twice as long.
 */
const steadyMs = 10_000
const longestPauseMs = 30_000

/** Resolves when all processes are ready. Throws if a process does not start. @param {Options} options */
export async function supervise(options) {
  // Each web process accepts connections directly from the shared socket. With the default policy, the supervisor would
  // accept each connection and pass it on. If the process then died, the client would wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: options.program, args: options.args })
  const supervisor = new Supervisor(options)
  try {
    await supervisor.start()
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  return supervisor
}

class Supervisor {
  /** @type {Slot[]} */
  slots = []
  /** All running processes, including those that are about to end. @type {Set<Process>} */
  running = new Set()
  /** The metrics of processes that have ended. @type {Metrics[]} */
  ended = []
  stopping = false
  /** @type {Promise<void> | undefined} */
  rolling
  rollAgain = false
  pauseMs = 0
  questions = 0
  /** @type {Map<number, (metrics: Metrics) => void>} */
  counting = new Map()

  /** @param {Options} options */
  constructor(options) {
    this.options = options
  }

  async start() {
    // The processes start one after another, because the first process reads the pages from disk, and later processes read them from memory.
    for (const part of this.options.parts) this.fill({ part, process: await this.launch(part) })
  }

  /** @param {Slot} slot */
  fill(slot) {
    this.slots.push(slot)
    this.watch(slot)
  }

  /** Resolves when the process is ready. @param {Part} part @returns {Promise<Process>} */
  async launch(part) {
    const { startMs = 60_000 } = this.options
    const process = cluster.fork({ BILLHOOK_PART: part })
    this.running.add(process)
    process.on('message', (message) => this.receive(process, message))
    process.on('error', (error) => this.options.report(`A ${part} process cannot be reached: ${error.message}`))
    process.once('exit', () => this.running.delete(process))
    const late = setTimeout(() => process.process.kill('SIGKILL'), startMs)
    try {
      await new Promise((resolve, reject) => {
        process.on('message', (message) => message === 'ready' && resolve(undefined))
        process.once('exit', () => reject(new UserFacingError(`A ${part} process did not start.`)))
      })
    } finally {
      clearTimeout(late)
    }
    return process
  }

  /** Restarts a process that ends unexpectedly. @param {Slot} slot */
  watch(slot) {
    const watched = slot.process
    const since = Date.now()
    const revive = async (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
      if (this.stopping || slot.process !== watched) return
      const how = signal ? `by ${signal}` : `with code ${code}`
      this.options.report(`A ${slot.part} process (${watched.process.pid}) ended ${how}. A new process is started.`)
      const isSteady = Date.now() - since >= steadyMs
      this.pauseMs = isSteady ? 0 : Math.min(longestPauseMs, Math.max(250, this.pauseMs * 2))
      while (!this.stopping && slot.process === watched) {
        await sleep(this.pauseMs)
        if (this.stopping) return
        try {
          const next = await this.launch(slot.part)
          // If a rolling restart replaced the process during the launch, the new process is not needed.
          if (slot.process !== watched) return await this.end(next, 'retire')
          slot.process = next
          this.watch(slot)
        } catch {
          this.pauseMs = Math.min(longestPauseMs, Math.max(250, this.pauseMs * 2))
        }
      }
    }
    // If the process ended right after it was ready, its `exit` event has already passed.
    if (watched.isDead()) void revive(watched.process.exitCode, watched.process.signalCode)
    else watched.once('exit', revive)
  }

  /** Replaces all processes in turn. A call during a rolling restart starts another rolling restart afterwards. @returns {Promise<void>} */
  roll() {
    if (this.rolling) {
      this.rollAgain = true
      return this.rolling
    }
    this.rolling = this.replaceAll().finally(() => {
      this.rolling = undefined
    })
    return this.rolling
  }

  async replaceAll() {
    let replaced
    do {
      this.rollAgain = false
      replaced = 0
      for (const slot of this.slots) {
        if (this.stopping) return
        // If a new process does not start, later new processes would not start either, so the remaining old processes keep running.
        if (!(await this.replace(slot))) break
        replaced++
      }
    } while (this.rollAgain)
    const { length } = this.slots
    this.options.report(
      replaced === length ? 'All processes were replaced.' : `${replaced} of ${length} processes were replaced.`,
    )
  }

  /** Returns whether the slot has a new process. @param {Slot} slot */
  async replace(slot) {
    const old = slot.process
    try {
      const next = await this.launch(slot.part)
      // If the old process died and was replaced during the launch, the new process is not needed.
      if (slot.process !== old) {
        await this.end(next, 'retire')
        return true
      }
      slot.process = next
    } catch (error) {
      this.options.report(`A ${slot.part} process was not replaced: ${/** @type {Error} */ (error).message}`)
      return false
    }
    this.watch(slot)
    await this.end(old, 'retire')
    return true
  }

  /**
   * Resolves when the process has ended, and kills the process after `stopMs` milliseconds. The default is 60 s with `retire`, because other processes then
   * serve requests, and 25 s with `stop`.
   * @param {Process} process @param {'stop' | 'retire'} how
   */
  async end(process, how) {
    const { stopMs = how === 'stop' ? 25_000 : 60_000 } = this.options
    if (process.isDead()) return
    const ended = new Promise((resolve) => process.once('exit', resolve))
    if (process.isConnected()) process.send(how)
    const late = setTimeout(() => process.process.kill('SIGKILL'), stopMs)
    await ended
    clearTimeout(late)
  }

  /**
   * Sends a signal to each process that serves requests. Leaves out processes that retire, and processes that start, because a starting process may have no
   * listener yet.
   * @param {NodeJS.Signals} signal
   */
  pass(signal) {
    for (const { process } of this.slots) if (!process.isDead()) process.process.kill(signal)
  }

  async stop() {
    this.stopping = true
    await Promise.all([...this.running].map((process) => this.end(process, 'stop')))
  }

  /**
   * @param {Process} from
   * @param {'ready' | { kind: string, id?: number, metrics?: Metrics, state?: string }} message
   */
  receive(from, message) {
    if (message === 'ready') return
    const { kind, id, metrics } = message
    if (kind === 'task server')
      for (const { part, process } of this.slots) if (part === 'web' && process.isConnected()) process.send(message)
    if (kind === 'wake')
      for (const { part, process } of this.slots)
        if (part === 'tasks' && process.isConnected()) process.send({ kind: 'wake' })
    if (kind === 'count all') void this.countAll(from)
    if (kind === 'metrics' && id !== undefined && metrics) this.counting.get(id)?.(metrics)
    if (kind === 'last metrics' && metrics) void this.keep(metrics)
  }

  /** Sends the metrics of all processes to the process that asked. @param {Process} asker */
  async countAll(asker) {
    const answers = await Promise.all([...this.running].map((process) => this.count(process)))
    if (asker.isConnected()) asker.send({ kind: 'counted', all: [...answers.flat(), ...this.ended] })
  }

  /** @param {Process} process @returns {Promise<Metrics[]>} empty if the process does not respond in time */
  async count(process) {
    if (!process.isConnected()) return []
    const id = ++this.questions
    const answer = new Promise((resolve) => this.counting.set(id, (metrics) => resolve([metrics])))
    process.send({ kind: 'count', id })
    try {
      return await Promise.race([answer, sleep(countMs, [])])
    } finally {
      this.counting.delete(id)
    }
  }

  /** Counters must not fall when a process is replaced, so the supervisor keeps the metrics of ended processes. @param {Metrics} metrics */
  async keep(metrics) {
    this.ended.push(metrics.filter(({ type }) => type === 'counter' || type === 'histogram'))
    if (this.ended.length < 8) return
    const { AggregatorRegistry } = await import('prom-client')
    const all = this.ended.splice(0)
    const sum = AggregatorRegistry.aggregate(/** @type {any[]} */ (all))
    this.ended.push(/** @type {Metrics} */ (/** @type {unknown} */ (await sum.getMetricsAsJSON())))
  }
}
