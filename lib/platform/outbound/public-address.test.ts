import fc from 'fast-check'
import { fetch, MockAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import { isPublicAddress, notPublic, publicUrlProblem } from './public-address.ts'

const refused = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1', 'fec0::1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'febf::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
  ],
  'reserved of v6': [
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
    '2001::1',
    '2001:1::1',
    '2001:20::1',
    '2001:2::1',
  ],
  'v4 in v6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:808:808::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'no address': ['', 'localhost', 'fe80::1%eth0', '999.1.1.1', '1.2.3.4/8'],
}

describe('addresses', () => {
  it.each(Object.entries(refused))('an address of type "%s" is not public', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('the address %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('an IPv6 address that embeds an IPv4 address is never public', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        for (const prefix of ['::', '::ffff:', '64:ff9b::']) expect(isPublicAddress(prefix + v4)).toBe(false)
      }),
    )
  })
})

describe('endpoint URLs', () => {
  const problem = (url: string, allowedHosts: string[] = []) =>
    publicUrlProblem(new URL(url), { allowedHosts, allowsLoopback: false })?.toString() ?? null

  it.each([
    'https://127.1/',
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７。０。０。１/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://hooks.localhost/',
    'https://hooks.localhost./',
    'https://intranet/',
    'https://intranet./',
    'https://db.internal/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://billhook.test/',
    'https://a.invalid/',
    'https://a.onion/',
  ])('the URL %s is not public', (url) => {
    expect(problem(url)).toBe(String(notPublic))
  })

  it.each([
    ['http://hooks.example.com/', 'Must be an https URL.'],
    ['http://hooks.example.com:9443/', 'Must be an https URL.'],
  ])('the URL %s is refused: %s', (url, sentence) => {
    expect(problem(url)).toBe(sentence)
  })

  it.each([0, 1, 22, 25, 80, 442, 444, 1023, 2049, 6000, 6667, 10080])(
    'an endpoint URL with port %i is refused with the list of blocked ports',
    (port) => {
      expect(problem(`https://hooks.example.com:${port}/`)).toBe(
        'Must use port 443, or a port from 1024 to 65535 that browsers do not block. Browsers block ' +
          '1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, ' +
          '6669, 6679, 6697, 10080.',
      )
    },
  )

  it.each([443, 1024, 3000, 8080, 8443, 9443, 65535])('an endpoint URL may have port %i', (port) => {
    expect(problem(`https://hooks.example.com:${port}/`)).toBeNull()
  })

  it('an endpoint URL may have any port above 1023 that fetch does not block', async () => {
    const all = Array.from({ length: 12_000 }, (_, n) => 1024 + n)
    const isRefused = (port: number) => problem(`https://hooks.example.com:${port}/`) !== null
    // Each request needs a new client, so a test of all ports would be slow. Only the refused ports, their neighbors,
    // and every 97th port are tested.
    const isTried = (port: number) => port % 97 === 0 || [port - 1, port, port + 1].some(isRefused)
    const ports = all.filter(isTried)
    const refused = ports.filter(isRefused)
    expect(refused.length).toBeGreaterThan(15)
    // MockAgent prevents real requests. For a blocked port, `fetch` fails before it uses MockAgent.
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    const isBlocked = (port: number) =>
      fetch(`https://hooks.example.com:${port}/`, { dispatcher }).then(
        () => false,
        (error: Error) => (error.cause as Error).message === 'bad port',
      )
    const blocked = await Promise.all(ports.map(isBlocked))
    expect(refused).toEqual(ports.filter((_, at) => blocked[at]))
    await dispatcher.close()
  })

  it.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('the endpoint URL %s is accepted', (url) => {
    expect(problem(url)).toBeNull()
  })

  it('an endpoint URL may be private if its host is in WEBHOOK_ALLOWED_HOSTS', () => {
    expect(problem('http://localhost:4000/hook', ['localhost:4000'])).toBeNull()
    expect(problem('http://localhost:4000/hook', ['localhost'])).toBeNull()
    expect(problem('http://localhost:4001/hook', ['localhost:4000'])).not.toBeNull()
    expect(problem('http://localhost.evil.example/', ['localhost'])).not.toBeNull()
    expect(problem('http://127.0.0.1/', ['localhost'])).not.toBeNull()
    expect(problem('http://localhost@evil.example/', ['localhost'])).not.toBeNull()
  })
})

describe('loopback URLs', () => {
  const problem = (url: string, allowsLoopback = true) =>
    publicUrlProblem(new URL(url), { allowedHosts: [], allowsLoopback })?.toString() ?? null
  const loopback = [
    'http://localhost:4000/hook',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/?a=1',
    'http://LOCALHOST:4000/',
  ]

  it.each(loopback)('with loopback allowed, the endpoint URL %s is accepted', (url) => {
    expect(problem(url)).toBeNull()
  })

  it.each(loopback)('the endpoint URL %s is refused if loopback is not allowed', (url) => {
    expect(problem(url, false)).toBe('Must be an https URL.')
  })

  it.each([
    'http://localhost/',
    'http://localhost.:4000/',
    'http://hooks.localhost:4000/',
    'http://localhost.example.com:4000/',
    'http://127.0.0.2:4000/',
    'http://127.0.0.1.nip.io:4000/',
    'http://0.0.0.0:4000/',
    'http://[::]:4000/',
    'http://[::ffff:127.0.0.1]:4000/',
    'http://10.0.0.1:4000/',
    'http://192.168.1.1:4000/',
    'http://169.254.169.254:4000/',
    'http://[fd00::1]:4000/',
    'http://[fe80::1]:4000/',
    'http://hooks.example.com:4000/',
    'https://localhost:4000/',
    'https://127.0.0.1:4000/',
    'https://[::1]:4000/',
    'https://10.0.0.1/',
  ])('with loopback allowed, the endpoint URL %s is refused', (url) => {
    expect(problem(url)).toMatch(/^Must be (an https URL|a public host)/)
  })

  it.each([1, 22, 25, 443, 1023, 6000, 6667])(
    'with loopback allowed, a localhost URL with port %i is refused',
    (port) => {
      expect(problem(`http://localhost:${port}/`)).toMatch(/^Must use port 443, or a port from 1024/)
    },
  )

  it('with loopback allowed, a public https URL is accepted', () => {
    expect(problem('https://hooks.example.com/')).toBeNull()
  })
})
