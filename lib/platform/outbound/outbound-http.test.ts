import net from 'node:net'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { selfSigned } from '../../testing/self-signed.ts'
import { postToPublicAddress } from './outbound-http.ts'
import { notPublic } from './public-address.ts'

const settings = vi.hoisted(() => ({ webhookAllowedHosts: ['127.0.0.1'], webhookLoopback: false }))
vi.mock('../config.ts', () => ({ config: () => settings }))

const names = vi.hoisted(() => ({ answers: {} as Record<string, string[][]>, asked: [] as string[] }))
vi.mock('node:dns/promises', () => {
  const resolve = async (family: 4 | 6, name: string) => {
    names.asked.push(`${name} ${family}`)
    const answers = names.answers[name] ?? []
    const asked = names.asked.filter((each) => each === `${name} ${family}`).length
    const found = (answers[Math.min(asked, answers.length) - 1] ?? []).filter((address) => net.isIP(address) === family)
    if (found.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENODATA' })
    return found
  }
  return {
    Resolver: class {
      resolve4 = (name: string) => resolve(4, name)
      resolve6 = (name: string) => resolve(6, name)
    },
  }
})

let receiver: Awaited<ReturnType<typeof aReceiver>>
const headers = { 'content-type': 'application/json' }
const post = (timeoutMs = 10_000, url = receiver.url, testmode = true) =>
  postToPublicAddress(url, { body: '{"a":"ü"}', headers, timeoutMs, testmode })

beforeEach(async () => {
  receiver = await aReceiver()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await receiver.close()
})

describe('webhook requests', () => {
  it('a webhook request sends its body unchanged and returns the response', async () => {
    receiver.answer = answered(503, { 'Retry-After': '120' }, 'Closed today')
    expect(await post()).toEqual({ status: 503, text: 'Closed today', retryAfter: '120' })
    expect(receiver.requests).toMatchObject([{ text: '{"a":"ü"}', headers: { 'content-type': 'application/json' } }])
  })

  const interim = (head: string) => `HTTP/1.1 ${head}\r\n\r\n`
  it.each<[string, string]>([
    ['an unrequested 100', interim('100 Continue')],
    ['a 102', interim('102 Processing')],
    ['early hints', interim('103 Early Hints\r\nLink: </a.css>; rel=preload')],
    [
      'several interim responses in a row',
      interim('100 Continue').repeat(3) + interim('103 Early Hints') + interim('102 Processing'),
    ],
    ['twenty interim responses', interim('100 Continue').repeat(20)],
  ])('a webhook request reads the response that follows %s', async (_, before) => {
    for (const status of [200, 503]) {
      receiver.answer = (response) =>
        response.socket?.write(`${before}HTTP/1.1 ${status} Word\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok`)
      expect(await post()).toEqual({ status, text: 'ok', retryAfter: null })
    }
  })

  it('a webhook request closes the connection after more than 20 interim responses', async () => {
    let isClosed = false
    receiver.answer = ({ socket }) => {
      socket?.on('close', () => (isClosed = true)).on('error', () => undefined)
      const more = () => {
        while (!isClosed && socket?.write(interim('100 Continue').repeat(1_000)));
      }
      socket?.on('drain', more)
      more()
    }
    await expect(post()).rejects.toThrow('More than 20 interim responses (1xx).')
    await expect.poll(() => isClosed).toBe(true)
  })

  it('a webhook request fails on the response 101 Switching Protocols', async () => {
    receiver.answer = ({ socket }) =>
      socket?.write(interim('101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x'))
    await expect(post()).rejects.toThrow(/interrupted|failed/)
  })

  it('a webhook request is sent again if the receiver has closed the idle connection', async () => {
    receiver.answer = answered(200)
    expect((await post()).status).toBe(200)
    let cut = 0
    receiver.answer = (response) => (cut++ === 0 ? response.destroy() : response.end())
    expect((await post()).status).toBe(200)
    expect([receiver.requests.length, cut]).toEqual([3, 2])
  })

  it.each([301, 302, 303, 307, 308])('a webhook request does not follow a redirect (%i)', async (status) => {
    receiver.answer = answered(status, { Location: `${receiver.url}/elsewhere` })
    expect((await post()).status).toBe(status)
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook'])
  })

  it('a webhook request returns the first 2 kB of the response without NUL and invalid UTF-8', async () => {
    receiver.answer = answered(200, {}, 'a'.repeat(5_000))
    expect((await post()).text).toBe('a'.repeat(2_048))
    receiver.answer = (response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62]))
    expect((await post()).text).toBe('a\ufffdb')
  })

  it('a webhook request closes the connection of an endless response', async () => {
    let ended = false
    receiver.answer = (response) => {
      const more = () => {
        while (!ended && response.write('a'.repeat(65_536)));
      }
      response.on('drain', more).on('close', () => {
        ended = true
      })
      more()
    }
    expect((await post()).text.length).toBe(2_048)
    await expect.poll(() => ended).toBe(true)
  })

  it('a webhook request times out if the response does not begin or does not end', async () => {
    receiver.answer = () => undefined
    await expect(post(200)).rejects.toThrow('No answer within 0.2 seconds.')
    receiver.answer = (response) => response.writeHead(200).write('a')
    await expect(post(200)).rejects.toThrow('No answer within 0.2 seconds.')
  })

  it.each([
    ['cuts the connection', (response: import('node:http').ServerResponse) => response.destroy(), 'interrupted'],
    [
      'sends invalid HTTP',
      (response: import('node:http').ServerResponse) => response.socket?.end('SSH-2.0-OpenSSH\r\n'),
      'failed',
    ],
    ['has endless headers', answered(200, { a: 'a'.repeat(30_000) }), 'failed'],
  ])('a webhook request fails if the receiver %s', async (_, answer, word) => {
    receiver.answer = answer
    await expect(post()).rejects.toThrow(word)
  })

  it('the error of a refused webhook connection does not contain the address of the receiver', async () => {
    await receiver.close()
    await expect(post()).rejects.toThrow(/^The connection was refused\.$/)
  })

  it('a webhook request fails if the certificate is self-signed', async () => {
    const secure = await aReceiver(answered(200), selfSigned)
    await expect(post(10_000, secure.url)).rejects.toThrow(/^The certificate is not valid\.$/)
    expect(secure.requests).toEqual([])
    await secure.close()
  })

  it('an idle webhook connection is closed after a few seconds, even if the receiver would keep it open for ten minutes', async () => {
    let isClosed = false
    const offer = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=600\r\nContent-Length: 0\r\n\r\n'
    const generous = net.createServer((socket) => {
      socket
        .once('data', () => socket.write(offer))
        .once('close', () => {
          isClosed = true
        })
    })
    await new Promise<void>((resolve) => generous.listen(0, '127.0.0.1', resolve))
    const { port } = generous.address() as net.AddressInfo
    expect((await post(10_000, `http://127.0.0.1:${port}/`)).status).toBe(200)
    await expect.poll(() => isClosed, { timeout: 30_000 }).toBe(true)
    await new Promise((resolve) => generous.close(resolve))
  }, 60_000)

  it('a webhook request does not wait for hanging requests to the same host', async () => {
    receiver.answer = () => undefined
    const hanging = Array.from({ length: 40 }, () => post().catch(() => 'cut'))
    await expect.poll(() => receiver.requests.length).toBe(40)
    receiver.answer = answered(200)
    expect((await post()).status).toBe(200)
    await receiver.close()
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['cut']))
  })
})

describe('host names', () => {
  const url = 'https://hooks.example.com/'
  const attempts: unknown[] = []
  const connections = () => {
    const made: unknown[] = []
    vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) => {
      const socket = new tls.TLSSocket(new net.Socket())
      options.lookup?.(options.host ?? '', { all: true }, (error, addresses) => {
        made.push(error ? error.message : [options.servername, addresses])
        attempts.push((options as net.TcpNetConnectOpts).autoSelectFamilyAttemptTimeout)
        socket.destroy(error ?? new Error('no network in a test'))
      })
      return socket
    }) as typeof tls.connect)
    return made
  }

  beforeEach(() => {
    names.asked = []
    names.answers = {}
  })

  it('a host name is resolved exactly once, and the request is sent to a checked address', async () => {
    names.answers = {
      'hooks.example.com': [
        ['93.184.216.34', '2606:4700::1'],
        ['127.0.0.1', '::1'],
      ],
    }
    const made = connections()
    await expect(post(10_000, url)).rejects.toThrow('The connection failed.')
    expect(made).toEqual([
      [
        'hooks.example.com',
        [
          { address: '93.184.216.34', family: 4 },
          { address: '2606:4700::1', family: 6 },
        ],
      ],
    ])
    expect(names.asked.sort()).toEqual(['hooks.example.com 4', 'hooks.example.com 6'])
  })

  it('each address of a host name is tried for 2.5 seconds', async () => {
    names.answers = { 'hooks.example.com': [['93.184.216.34', '2606:4700::1']] }
    connections()
    attempts.length = 0
    await expect(post(10_000, url)).rejects.toThrow('The connection failed.')
    expect(attempts).toEqual([2_500])
  })

  it('a webhook request is refused if its host name has changed to a private address since the previous request', async () => {
    names.answers = { 'hooks.example.com': [['93.184.216.34'], ['127.0.0.1']] }
    connections()
    await expect(post(10_000, url)).rejects.toThrow('The connection failed.')
    await expect(post(10_000, url)).rejects.toThrow(String(notPublic))
  })

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['93.184.216.34', '192.168.1.1']],
    [['93.184.216.34', 'fd00::1']],
  ])('a host name is refused if it resolves to the addresses %j', async (addresses) => {
    names.answers = { 'hooks.example.com': [addresses] }
    const made = connections()
    await expect(post(10_000, url)).rejects.toThrow(String(notPublic))
    expect(made).toEqual([String(notPublic)])
  })

  it('the error of a webhook request names a host name that does not resolve', async () => {
    connections()
    await expect(post(10_000, url)).rejects.toThrow(/^The host name does not resolve\.$/)
  })

  it.each(['https://127.0.0.2/', 'http://hooks.example.com/', 'https://[::1]/', 'https://localhost/'])(
    'a webhook request to %s is refused without a DNS query',
    async (target) => {
      const made = connections()
      await expect(post(10_000, target)).rejects.toThrow(/^Must /)
      expect([made, names.asked]).toEqual([[], []])
    },
  )
})

describe('loopback addresses', () => {
  const allowed = settings.webhookAllowedHosts
  beforeEach(() => {
    names.asked = []
    names.answers = { localhost: [['93.184.216.34']], 'hooks.example.com': [['127.0.0.1', '::1']] }
    Object.assign(settings, { webhookAllowedHosts: [], webhookLoopback: true })
  })
  afterEach(() => {
    Object.assign(settings, { webhookAllowedHosts: allowed, webhookLoopback: false })
  })

  it.each(['localhost', '127.0.0.1'])(
    'a webhook request of test mode is sent to %s without a DNS query',
    async (host) => {
      const url = `http://${host}:${receiver.port}/hook`
      expect(await post(10_000, url)).toMatchObject({ status: 200 })
      expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook'])
      expect(names.asked).toEqual([])
    },
  )

  it('a webhook request to localhost is refused in live mode, and in test mode unless loopback is allowed', async () => {
    const url = `http://localhost:${receiver.port}/hook`
    await expect(post(10_000, url, false)).rejects.toThrow(/^Must be an https URL\.$/)
    settings.webhookLoopback = false
    await expect(post(10_000, url)).rejects.toThrow(/^Must be an https URL\.$/)
    expect(receiver.requests).toEqual([])
  })

  it('a webhook request is refused if its host name resolves to a loopback address', async () => {
    await expect(post(10_000, `http://hooks.example.com:${receiver.port}/`)).rejects.toThrow(/^Must be an https URL\.$/)
    await expect(post(10_000, `https://hooks.example.com:${receiver.port}/`)).rejects.toThrow(String(notPublic))
    expect(receiver.requests).toEqual([])
  })
})
