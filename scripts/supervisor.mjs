// @ts-check
// Runs web processes that share one port, which this process holds, and one process that runs tasks. A process that
// dies is started again. A rolling restart replaces each process only when its successor is ready.
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserFacingError } from './user-facing-error.mjs'

/** @typedef {'web' | 'tasks'} Part */
/** @typedef {{ name: string, type: string }[]} Metrics */
/** @typedef {import('node:cluster').Worker} Process */
/** @typedef {{ part: Part, process: Process }} Slot */

/**
 * @typedef {object} Options
 * @property {string} program what each process runs; it says `ready`, and ends on `stop` or `retire`
 * @property {string[]} args of the program
 * @property {Part[]} parts what the processes do, which read it from BILLHOOK_PART
 * @property {(line: string) => void} report
 * @property {number} [startMs] how long a process may take to start
 * @property {number} [stopMs] how long a process may take to stop, before it is killed
 */

const countMs = 1_000
/** A process that dies sooner than this after its start is started again after a pause, which doubles each time. */
const steadyMs = 10_000
const longestPauseMs = 30_000

/**
 * Starts the processes. Resolves when all are ready, and throws if one does not start.
 * @param {Options} options
 */
export async function supervise(options) {
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

/** Connections on their way to a process. @type {WeakMap<import('node:child_process').ChildProcess, Map<number, unknown>>} */
const handedTo = new WeakMap()

/** @param {Process} worker */
export const handedOver = (worker) => handedTo.get(worker.process)?.size ?? 0

class Supervisor {
  /** @type {Slot[]} */
  slots = []
  /** All running processes, including those about to end. @type {Set<Process>} */
  running = new Set()
  /** The counts of processes that have ended. @type {Metrics[]} */
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
    // One after the other: the first process reads the pages' modules from disk, and the next from memory.
    for (const part of this.options.parts) this.fill({ part, process: await this.launch(part) })
  }

  /** @param {Slot} slot */
  fill(slot) {
    this.slots.push(slot)
    this.watch(slot)
  }

  /**
   * Starts a process, and resolves when it is ready.
   * @param {Part} part
   * @returns {Promise<Process>}
   */
  async launch(part) {
    const { startMs = 60_000 } = this.options
    const process = cluster.fork({ BILLHOOK_PART: part })
    this.running.add(process)
    endConnectionsWith(process)
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

  /**
   * Restarts a process that ends without a request.
   * @param {Slot} slot
   */
  watch(slot) {
    const watched = slot.process
    const since = Date.now()
    const revive = async (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
      if (this.stopping || slot.process !== watched) return
      const how = signal ? `by ${signal}` : `with code ${code}`
      this.options.report(`A ${slot.part} process (${watched.process.pid}) ended ${how}; another one is started.`)
      const isSteady = Date.now() - since >= steadyMs
      this.pauseMs = isSteady ? 0 : Math.min(longestPauseMs, Math.max(250, this.pauseMs * 2))
      while (!this.stopping && slot.process === watched) {
        await sleep(this.pauseMs)
        if (this.stopping) return
        try {
          const next = await this.launch(slot.part)
          // A rolling restart replaced the process meanwhile.
          if (slot.process !== watched) return await this.end(next, 'retire')
          slot.process = next
          this.watch(slot)
        } catch {
          this.pauseMs = Math.min(longestPauseMs, Math.max(250, this.pauseMs * 2))
        }
      }
    }
    // The process may have ended since it was ready.
    if (watched.isDead()) void revive(watched.process.exitCode, watched.process.signalCode)
    else watched.once('exit', revive)
  }

  /**
   * Replaces all processes, one after the other. A call during a rolling restart starts another one after it.
   * @returns {Promise<void>}
   */
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
        // If one process does not start, the others would not start either. The running processes stay.
        if (!(await this.replace(slot))) break
        replaced++
      }
    } while (this.rollAgain)
    const { length } = this.slots
    this.options.report(
      replaced === length ? 'All processes were replaced.' : `${replaced} of ${length} processes were replaced.`,
    )
  }

  /**
   * Returns whether a new process now has the place.
   * @param {Slot} slot
   */
  async replace(slot) {
    const old = slot.process
    try {
      const next = await this.launch(slot.part)
      // The process died meanwhile and was replaced.
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
   * Asks a process to end, and resolves when it has ended.
   * @param {Process} process
   * @param {'stop' | 'retire'} how `retire`: other processes answer meanwhile, so it may take its time
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
   * Passes a signal on to the running processes. A starting process may not listen for the signal yet, and would end.
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
   * @param {'ready' | 'leaving' | { kind: string, id?: number, metrics?: Metrics, state?: string }} message
   */
  receive(from, message) {
    if (typeof message === 'string') {
      // The process takes no more connections, and has received all connections handed to it.
      if (message === 'leaving' && from.isConnected()) from.send('farewell')
      return
    }
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

  /**
   * Collects the counts of all processes, and sends them to the process that asked.
   * @param {Process} asker
   */
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

  /**
   * Keeps the counts of a process that ends, because counters must not fall when a process is replaced.
   * @param {Metrics} metrics
   */
  async keep(metrics) {
    this.ended.push(metrics.filter(({ type }) => type === 'counter' || type === 'histogram'))
    if (this.ended.length < 8) return
    const { AggregatorRegistry } = await import('prom-client')
    const all = this.ended.splice(0)
    const sum = AggregatorRegistry.aggregate(/** @type {any[]} */ (all))
    this.ended.push(/** @type {Metrics} */ (/** @type {unknown} */ (await sum.getMetricsAsJSON())))
  }
}

/**
 * Node.js keeps a handed-over connection until the process confirms it. If the process dies before, Node.js forgets the
 * connection, and its client would wait forever. So the connection is closed here.
 * @param {Process} worker
 */
function endConnectionsWith({ process }) {
  /** By the number of the message that hands it over. @type {Map<number, { close: () => void }>} */
  const handed = new Map()
  handedTo.set(process, handed)
  const send = process.send
  process.send = function (/** @type {any} */ message, /** @type {any[]} */ ...rest) {
    if (message?.act === 'newconn' && rest[0]) handed.set(message.seq, rest[0])
    return send.call(this, message, .../** @type {[any]} */ (rest))
  }
  process.on('internalMessage', ({ ack }) => handed.delete(ack))
  process.once('exit', () => {
    for (const connection of handed.values()) connection.close()
  })
}
