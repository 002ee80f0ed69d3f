import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { freePort } from './embedded-postgres.mjs'
import { supervise } from './supervisor.mjs'

const PROGRAM = `
import { createServer } from 'node:http'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setInterval, setTimeout } from 'node:timers/promises'
const [port, fails, woken, held, slow] = process.argv.slice(2)
const part = process.env.BILLHOOK_PART
if (existsSync(fails)) process.exit(3)
const isHeld = () => existsSync(held) && readFileSync(held, 'utf8') !== String(process.pid)
if (isHeld()) for await (const _ of setInterval(10)) if (!isHeld()) break
let asked = null
let state = null
let signals = 0
process.on('SIGUSR2', () => signals++)
const metrics = () => [{ name: 'asked', help: 'x', type: 'counter', values: [{ value: 1, labels: {} }], aggregator: 'sum' },
  { name: 'now', help: 'x', type: 'gauge', values: [{ value: 1, labels: {} }], aggregator: 'sum' }]
const server = createServer((request, response) => {
  response.setHeader('connection', 'close')
  if (request.url === '/die') process.exit(7)
  if (request.url === '/signals') return response.end(JSON.stringify({ pid: process.pid, signals }))
  if (request.url === '/wake') process.send({ kind: 'wake' })
  if (request.url === '/state') return response.end(JSON.stringify({ state }))
  if (request.url === '/metrics') {
    asked = response
    return process.send({ kind: 'count all' })
  }
  response.end(JSON.stringify({ pid: process.pid }))
})
process.on('message', (message) => {
  if (message.kind === 'wake') writeFileSync(woken, part)
  if (message.kind === 'count') void setTimeout(existsSync(slow) ? 1_100 : 0).then(() => process.send({ kind: 'metrics', id: message.id, metrics: metrics() }))
  if (message.kind === 'task server') state = message.state
  if (message.kind === 'counted') asked.end(JSON.stringify(message.all))
  if (message === 'stop' || message === 'retire')
    server.close(() => process.send({ kind: 'last metrics', metrics: metrics() }, () => process.exit(0)))
})
if (part === 'web') server.listen(Number(port), () => process.send('ready'))
else {
  process.send('ready')
  globalThis.setInterval(() => process.send({ kind: 'task server', state: 'ok' }), 20)
}
`

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-supervisor-'))
const program = path.join(folder, 'program.mjs')
const broken = path.join(folder, 'broken')
const woken = path.join(folder, 'woken')
/** While this file exists, only the process with the pid in the file can start. */
const held = path.join(folder, 'held')
/** While this file exists, each process sends its metrics after 1,100 ms, as a process does while the database hangs. */
const slow = path.join(folder, 'slow')
writeFileSync(program, PROGRAM)
afterAll(() => rmSync(folder, { recursive: true }))

const reports: string[] = []
let supervisor: Awaited<ReturnType<typeof supervise>> | undefined
let port: number

async function started(...parts: ('web' | 'tasks')[]) {
  port = await freePort()
  const args = [String(port), broken, woken, held, slow]
  supervisor = await supervise({ program, args, parts, report: (line) => reports.push(line) })
  return supervisor
}

afterEach(async () => {
  await supervisor?.stop()
  supervisor = undefined
  reports.length = 0
  rmSync(broken, { force: true })
  rmSync(held, { force: true })
  rmSync(slow, { force: true })
})

const patienceMs = 30_000
const ask = async (address = '/') =>
  (await fetch(`http://127.0.0.1:${port}${address}`, { signal: AbortSignal.timeout(patienceMs) })).json()
/** Sends requests until each running web process has responded. The operating system chooses the process for each connection. */
const askAll = async (address = '/') => {
  const found = new Map<number, { pid: number; signals: number }>()
  const web = (supervisor?.slots ?? []).filter(({ part, process }) => part === 'web' && !process.isDead())
  for (let round = 0; round < 100 && found.size < web.length; round++) {
    // Connections of a process that dies are closed, so this function ignores failed requests.
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(address).catch(() => null)))
    for (const answer of answers) if (answer) found.set(answer.pid, answer)
  }
  return [...found.values()].sort((a, b) => a.pid - b.pid)
}
const pids = async () => (await askAll()).map(({ pid }) => pid)

/** Resolves when the connections are open, even if no process has accepted them. Each connection resolves with the received data when it closes. */
async function openConnections(count: number) {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets.map((socket) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => undefined)
    socket.setTimeout(patienceMs, () => {
      received = 'timed out'
      socket.destroy()
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  })
}

describe('several processes on one port', () => {
  it('several processes share the requests of one port, and all end together', async () => {
    const { running } = await started('web', 'web', 'tasks')
    expect(await pids()).toHaveLength(2)
    expect(running.size).toBe(3)
    await supervisor?.stop()
    expect(running.size).toBe(0)
    await expect(ask()).rejects.toThrow()
  })

  it('a rolling restart replaces processes one by one while all requests succeed', async () => {
    const supervisor = await started('web', 'web', 'tasks')
    const before = await pids()
    let rolling = true
    const rolled = supervisor.roll().finally(() => {
      rolling = false
    })
    let answered = 0
    const client = async () => {
      while (rolling) {
        await ask()
        answered++
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    await rolled
    expect(answered).toBeGreaterThan(50)
    const after = await pids()
    expect(after).toHaveLength(2)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
    expect(supervisor.running.size).toBe(3)
    expect(reports).toEqual(['All processes were replaced.'])
  })

  it('the supervisor starts a new process after a process dies', async () => {
    await started('web', 'web')
    const before = await pids()
    await expect(ask('/die')).rejects.toThrow()
    await expect.poll(pids).toHaveLength(2)
    const died = reports.map((line) => /\((\d+)\) ended with code 7\. A new process is started/.exec(line)?.[1])
    expect(before).toContain(Number(died[0]))
    expect(died).toHaveLength(1)
  })

  it('requests succeed while one of two processes is frozen', async () => {
    await started('web', 'web')
    const [frozen, other] = (await pids()) as [number, number]
    process.kill(frozen, 'SIGSTOP')
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect([...new Set(answers.map(({ pid }) => pid))]).toEqual([other])
    process.kill(frozen, 'SIGKILL')
    await expect.poll(pids).toHaveLength(2)
  })

  it('after a process dies, another process accepts the waiting connections', async () => {
    await started('web', 'web')
    const [killed, other] = (await pids()) as [number, number]
    for (const pid of [killed, other]) process.kill(pid, 'SIGSTOP')
    const received = await openConnections(8)
    process.kill(killed, 'SIGKILL')
    process.kill(other, 'SIGCONT')
    const answers = (await Promise.all(received)).map((text) => /{"pid":(\d+)}$/.exec(text)?.[1])
    expect([...new Set(answers)]).toEqual([String(other)])
  })

  it('connections that wait for the only web process are closed if the process dies', async () => {
    await started('web')
    const { pid } = await ask()
    process.kill(pid, 'SIGSTOP')
    const received = await openConnections(3)
    process.kill(pid, 'SIGKILL')
    expect(await Promise.all(received)).toEqual(['', '', ''])
    await expect.poll(pids).toHaveLength(1)
  })

  it('no extra process remains if a process dies while its successor starts', async () => {
    const supervisor = await started('web')
    const [before] = await pids()
    writeFileSync(held, '')
    const rolled = supervisor.roll()
    const newest = () => [...supervisor.running].at(-1)?.process.pid
    const next = newest()
    process.kill(before as number, 'SIGKILL')
    await expect.poll(() => reports.length).toBe(1)
    await expect.poll(() => supervisor.running.size).toBe(2)
    writeFileSync(held, String(next))
    await rolled
    const revived = newest()
    rmSync(held)
    await expect.poll(() => [...supervisor.running].map((each) => each.process.pid)).toEqual([next])
    expect(revived).not.toBe(next)
    expect(await pids()).toEqual([next])
  })

  it('the running processes continue if their successors do not start', async () => {
    await started('web', 'web')
    const before = await pids()
    writeFileSync(broken, '')
    await supervisor?.roll()
    expect(await pids()).toEqual(before)
    // After one process fails to start, the second process is not replaced, because its successor would not start
    // either.
    expect(reports).toEqual([
      'A web process was not replaced: A web process did not start.',
      '0 of 2 processes were replaced.',
    ])
  })

  it('a rolling restart stops at the first process that does not start', async () => {
    const supervisor = await started('web', 'web', 'web')
    const before = await pids()
    // The first new process waits until the file contains its pid. When this process reports that it is ready, the program becomes unusable for later
    // processes.
    writeFileSync(held, '')
    const rolled = supervisor.roll()
    const next = [...supervisor.running].at(-1)
    next?.once('message', () => writeFileSync(broken, ''))
    writeFileSync(held, String(next?.process.pid))
    await rolled
    const after = await pids()
    expect(after.filter((pid) => before.includes(pid))).toHaveLength(2)
    expect(after).toContain(next?.process.pid)
    expect(reports).toEqual([
      'A web process was not replaced: A web process did not start.',
      '1 of 3 processes were replaced.',
    ])
  })

  it('processes exchange messages: a wake-up, the state of the Inngest server, and the signal SIGUSR2', async () => {
    const supervisor = await started('web', 'web', 'tasks')
    await ask('/wake')
    await expect.poll(() => existsSync(woken) && readFileSync(woken, 'utf8')).toBe('tasks')
    await expect.poll(() => ask('/state')).toEqual({ state: 'ok' })
    supervisor.pass('SIGUSR2')
    const signaled = async () => (await askAll('/signals')).filter(({ signals }) => signals === 1).length
    await expect.poll(signaled).toBe(2)
  })

  it('the metrics contain the counters of replaced processes but not their gauges, and contain processes that need more than a second', async () => {
    await started('web', 'web', 'tasks')
    await supervisor?.roll()
    writeFileSync(slow, '')
    const all = (await ask('/metrics')).flat() as { name: string }[]
    const times = (name: string) => all.filter((metric) => metric.name === name).length
    expect([times('asked'), times('now')]).toEqual([6, 3])
  })
})

it('no process keeps running if one of the first processes does not start', async () => {
  const forked: Worker[] = []
  const note = (worker: Worker) => forked.push(worker)
  cluster.on('fork', note)
  // When the first process reports that it is ready, the program becomes unusable for the second process.
  cluster.once('message', () => writeFileSync(broken, ''))
  await expect(started('web', 'web')).rejects.toThrow('A web process did not start.')
  cluster.off('fork', note)
  expect(forked.map((worker) => worker.isDead())).toEqual([true, true])
})
