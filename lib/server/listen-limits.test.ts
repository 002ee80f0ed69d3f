import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { start, waiting } from '../testing/raw-requests.ts'
import type { Listener } from './listen.ts'

let listener: Listener
let base: string

beforeAll(async () => {
  listener = await start()
  base = `http://127.0.0.1:${listener.port}`
})

afterAll(() => listener.close(0))

describe('the connection limit of an address', () => {
  interface Connection {
    ask(path: string): Promise<'answered' | 'ended'>
    readonly ended: Promise<'ended'>
    close(): void
  }

  const connected = (port: number) =>
    new Promise<Connection>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve({ ask, ended, close: () => void socket.destroy() }))
      const ended = new Promise<'ended'>((done) =>
        socket.on('error', () => undefined).once('close', () => done('ended')),
      )
      const ask: Connection['ask'] = (path) => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        return Promise.race([ended, new Promise<'answered'>((done) => socket.once('data', () => done('answered')))])
      }
    })

  it('at the connection limit of a client address, the server accepts a new connection and closes the connection that was idle longest', async () => {
    const limited = await start({ maxConnectionsPerAddress: 3 })
    const silent = await connected(limited.port)
    const early = await connected(limited.port)
    const late = await connected(limited.port)
    expect(await early.ask('/livez')).toBe('answered')
    expect(await late.ask('/livez')).toBe('answered')
    expect(await (await connected(limited.port)).ask('/livez')).toBe('answered')
    expect(await silent.ended).toBe('ended')
    expect(await early.ask('/livez')).toBe('answered')
    expect(await (await connected(limited.port)).ask('/livez')).toBe('answered')
    expect(await late.ended).toBe('ended')
    await limited.close(0)
  })

  it('at the connection limit of a client address, a connection with a pipelined request in progress is not closed', async () => {
    const limited = await start({ maxConnectionsPerAddress: 1 })
    const socket = connect(limited.port, '127.0.0.1', () =>
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/waits HTTP/1.1\r\nHost: x\r\n\r\n'),
    )
    let answers = ''
    socket.on('data', (chunk) => {
      answers += chunk
    })
    await expect.poll(() => waiting.length).toBe(1)
    await expect.poll(() => answers).toMatch(/live$/)
    expect(await (await connected(limited.port)).ask('/livez')).toBe('ended')
    for (const finish of waiting.splice(0)) finish()
    await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    socket.destroy()
    await limited.close(0)
  })

  it('at the connection limit of a client address, the server closes a new connection if all other connections have requests in progress', async () => {
    const limited = await start({ maxConnectionsPerAddress: 2 })
    const asked = await Promise.all([connected(limited.port), connected(limited.port)])
    const answers = asked.map((each) => each.ask('/v1/waits'))
    await expect.poll(() => waiting.length).toBe(2)
    expect(await (await connected(limited.port)).ask('/livez')).toBe('ended')
    for (const finish of waiting.splice(0)) finish()
    expect(await Promise.all(answers)).toEqual(['answered', 'answered'])
    await expect.poll(async () => (await connected(limited.port)).ask('/livez')).toBe('answered')
    await limited.close(0)
  })

  it('a client address at its connection limit can open a new connection after it closes an old connection', async () => {
    const limited = await start({ maxConnectionsPerAddress: 1 })
    const only = await connected(limited.port)
    const answer = only.ask('/v1/waits')
    await expect.poll(() => waiting.length).toBe(1)
    only.close()
    expect(await answer).toBe('ended')
    waiting.splice(0)
    await expect.poll(async () => (await connected(limited.port)).ask('/livez')).toBe('answered')
    await limited.close(0)
  })
})

/**
 * Sends the first request immediately, and one more request for each message from the parent thread, all on one
 * connection. Posts each response to the parent thread.
 */
const busyClient = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, sent } = workerData
  const socket = require('node:net').connect(port, '127.0.0.1')
  const ask = (done) => socket.write('GET /livez HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', done)
  socket.on('data', (bytes) => parentPort.postMessage(String(bytes)))
  socket.on('error', ({ code }) => parentPort.postMessage(code))
  socket.on('close', () => parentPort.postMessage('closed'))
  parentPort.on('message', () => ask(() => {
    Atomics.store(sent, 0, 1)
    Atomics.notify(sent, 0)
  }))
  ask()`

/**
 * Waits three turns of the event loop, because the server accepts connections between two callbacks of `setImmediate`
 * and closes connections in such a callback.
 */
async function anotherTurn(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a server that is shutting down', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('during a shutdown, the server finishes a running request and accepts no new connection', async () => {
    const closing = await start()
    const address = `http://127.0.0.1:${closing.port}`
    const slow = fetch(`${address}/v1/waits`)
    const fast = await fetch(`${address}/livez`)
    expect(await fast.text()).toBe('live')
    await expect.poll(() => waiting.length).toBe(1)
    const closed = closing.close(30_000)
    await expect(fetch(`${address}/livez`)).rejects.toThrow()
    waiting.pop()?.()
    const answer = await slow
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.text()).toBe('done')
    await closed
  })

  it.each([
    ['/livez', 'a request', 200],
    ['/v1/breaks', 'a request with an unexpected error', 500],
  ])('during a shutdown, the response of %s to %s contains Connection: close', async (address, _, status) => {
    const closing = await start()
    const socket = connect(closing.port, '127.0.0.1')
    const said: string[] = []
    socket.on('data', (text) => said.push(String(text)))
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => said.join('')).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: keep-alive[\s\S]*live$/)
    said.length = 0
    const closed = closing.close(30_000, 500)
    socket.write(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await ended
    expect(said.join('')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Connection: close`))
    await closed
  })

  it('during a shutdown, an idle connection can send a request until the linger time is over, and is then closed', async () => {
    const closing = await start()
    const connectionTo = async () => {
      const socket = connect(closing.port, '127.0.0.1')
      const ended = new Promise((resolve) => socket.once('close', resolve))
      await new Promise((resolve) => socket.once('connect', resolve))
      return { socket, ended }
    }
    const [asking, idle] = [await connectionTo(), await connectionTo()]
    const said: string[] = []
    asking.socket.on('data', (chunk) => said.push(String(chunk)))
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const closed = closing.close(30_000, 50)
    vi.advanceTimersByTime(49)
    await anotherTurn()
    asking.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await asking.ended
    expect(said.join('')).toMatch(/^HTTP\/1\.1 200 [\s\S]*live$/)
    expect(idle.socket.readyState).toBe('open')
    vi.advanceTimersByTime(20)
    vi.useRealTimers()
    await expect.poll(() => idle.socket.closed).toBe(true)
    await closed
  })

  it('during a shutdown, the server accepts connections until the linger time is over, and then answers a request on a new connection', async () => {
    const closing = await start()
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const closed = closing.close(30_000, 50)
    vi.advanceTimersByTime(49)
    const late = connect(closing.port, '127.0.0.1')
    const said: string[] = []
    late.on('data', (chunk) => said.push(String(chunk)))
    const ended = new Promise((resolve) => late.once('close', resolve))
    await new Promise((resolve) => late.once('connect', resolve))
    await anotherTurn()
    vi.advanceTimersByTime(20)
    await anotherTurn()
    await expect(fetch(`http://127.0.0.1:${closing.port}/livez`)).rejects.toThrow()
    late.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await ended
    expect(said.join('')).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*live$/)
    await closed
  })

  it('during a shutdown, a new connection without a request is closed one linger time after the connection was opened', async () => {
    const closing = await start()
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const closed = closing.close(30_000, 50)
    vi.advanceTimersByTime(49)
    const late = connect(closing.port, '127.0.0.1')
    const ended = new Promise((resolve) => late.once('close', resolve))
    await new Promise((resolve) => late.once('connect', resolve))
    await anotherTurn()
    vi.advanceTimersByTime(40)
    await anotherTurn()
    expect(late.readyState).toBe('open')
    vi.advanceTimersByTime(40)
    await ended
    await closed
  })

  it('during a shutdown, the server answers a request that arrived while its event loop was blocked', async () => {
    const closing = await start()
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const client = new Worker(busyClient, { eval: true, workerData: { port: closing.port, sent } })
    const said = () => new Promise((resolve, reject) => client.once('message', resolve).once('error', reject))
    expect(await said()).toMatch(/^HTTP\/1\.1 200 /)
    const lingerMs = 50
    const closed = closing.close(30_000, lingerMs)
    const lingersUntil = performance.now() + lingerMs
    const answer = said()
    client.postMessage('ask again')
    expect(Atomics.wait(sent, 0, 0, 60_000)).not.toBe('timed-out')
    // Blocks the event loop of this thread until the idle connection is due to be closed.
    while (performance.now() <= lingersUntil);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/)
    await closed
    await client.terminate()
  })

  it('during a shutdown, the server aborts requests that do not finish in time', async () => {
    const closing = await start()
    const slow = fetch(`http://127.0.0.1:${closing.port}/v1/waits`)
    slow.catch(() => 'asserted below')
    await expect.poll(() => waiting.length).toBe(1)
    await closing.close(50)
    await expect(slow).rejects.toThrow()
  })
})

describe('unread responses', () => {
  const asking = (value: string, header = 'authorization') =>
    new Promise<Socket>((resolve, reject) => {
      const request = `GET /v1/large HTTP/1.1\r\nHost: a\r\n${header}: ${value}\r\n\r\n`
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(request))
      socket.on('error', reject).once('data', () => resolve(socket.pause()))
    })
  const statusFor = async (value: string, header = 'authorization') =>
    (await fetch(`${base}/v1/echo/1`, { headers: { [header]: value } })).status

  it('a caller with too many unread bytes gets 429 with Retry-After until the caller’s connections with unread responses close', async () => {
    const unread = [await asking('one'), await asking('one')]
    expect([await statusFor('one'), await statusFor('other')]).toEqual([429, 200])
    const refused = await fetch(`${base}/v1/echo/1`, { headers: { authorization: 'one' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const socket of unread) socket.destroy()
    await expect.poll(() => statusFor('one')).toBe(200)
  })

  it('without an API key, unread responses count for the client address, not for the proxy address', async () => {
    const [one, other] = ['198.51.100.1', '198.51.100.2']
    const unread = [await asking(one, 'x-seen-by-proxy'), await asking(one, 'x-seen-by-proxy')]
    expect([await statusFor(one, 'x-seen-by-proxy'), await statusFor(other, 'x-seen-by-proxy')]).toEqual([429, 200])
    for (const socket of unread) socket.destroy()
    await expect.poll(() => statusFor(one, 'x-seen-by-proxy')).toBe(200)
  })

  it('at most four long lists per caller are built at the same time, and every list is sent', async () => {
    const before = waiting.length
    const lists = `GET /v1/waits?%6Cimit=100 HTTP/1.1\r\nHost: a\r\nauthorization: lists\r\n\r\n`.repeat(6)
    let answers = ''
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(lists))
    socket.on('data', (chunk) => {
      answers += chunk
    })
    await expect.poll(() => waiting.length - before).toBeGreaterThanOrEqual(4)
    // Requests without a long list, and requests of other callers, do not wait until the lists are built.
    expect([await statusFor('lists'), await statusFor('other')]).toEqual([200, 200])
    expect(waiting.length - before).toBe(4)
    waiting.pop()?.()
    await expect.poll(() => waiting.length - before).toBe(4)
    const left = async () => {
      while (waiting.length > before) waiting.pop()?.()
      return answers.split('done').length - 1
    }
    await expect.poll(left).toBe(6)
    socket.destroy()
  })

  it('responses do not count as unread after the client has read them', async () => {
    for (let time = 0; time < 4; time += 1) {
      const answer = await fetch(`${base}/v1/large`, { headers: { authorization: 'reader' } })
      expect((await answer.text()).length).toBe(20 * 1024 * 1024)
    }
    await expect.poll(() => statusFor('reader')).toBe(200)
  })
})
