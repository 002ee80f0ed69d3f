import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDuration, parseTypedDuration } from '../../../lib/kernel/calendar.ts'
import { momentAfter } from '../src/clock.ts'
import { commands } from '../src/commands.ts'
import { completions, scripts } from '../src/completion.ts'
import { eventNames, triggerable } from '../src/events.ts'
import { eventFilter, receiverUrl } from '../src/forward.ts'
import { checkedUrl, configFile } from '../src/login.ts'
import { wantsColor } from '../src/terminal.ts'
import { EventService } from './service.ts'
import { User } from './terminal.ts'

let service: EventService
let user: User

beforeEach(async () => {
  service = new EventService()
  await service.start()
  user = new User()
})
afterEach(async () => {
  user.leave()
  await service.stop()
})
const fileOf = ({ env }: User) => configFile(env)

describe('billhook login', () => {
  it('billhook login asks for URL and key, checks the key, and stores both in a file that only this user can read', async () => {
    const { code, out, asked } = await user.run('login', {}, [service.url, service.key])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Logged in to ${service.url}`) })
    expect(asked).toEqual([expect.stringContaining('Address'), expect.stringContaining('(hidden)')])
    expect(out).not.toContain(service.key)
    expect(JSON.parse(readFileSync(fileOf(user), 'utf8'))).toEqual({ url: service.url, key: service.key })
    expect(statSync(fileOf(user)).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(fileOf(user))).mode & 0o777).toBe(0o700)
    expect(await user.json('status')).toMatchObject({
      url: service.url,
      testmode: true,
      key: 'test_…d_in',
      source: 'login',
      clock: '2027-01-01T00:00:00Z',
    })
    expect(await user.json('logout')).toEqual({ wasLoggedIn: true })
    expect(existsSync(fileOf(user))).toBe(false)
    expect(await user.run('whoami')).toMatchObject({ code: 3, error: expect.stringContaining('billhook login') })
  })

  it('billhook login replaces a file that others can read with a file that only the user can read', async () => {
    mkdirSync(path.dirname(fileOf(user)), { recursive: true })
    writeFileSync(fileOf(user), '{}', { mode: 0o644 })
    await user.run(`login --url ${service.url} --key-file -`, {}, [service.key])
    expect(statSync(fileOf(user)).mode & 0o777).toBe(0o600)
  })

  it('billhook login --key-file stores the key from the file', async () => {
    const file = path.join(user.home, 'key.txt')
    writeFileSync(file, `${service.key}\n`)
    expect(await user.json(`login --url ${service.url} --key-file ${file}`)).toMatchObject({ testmode: true })
  })

  it.each([
    ['a wrong key', ['test_wrong'], '', 3, 'does not accept the API key'],
    ['a text that is not a key', ['hello'], '', 2, 'not an API key'],
    ['a key of live mode', ['live_key'], '', 3, 'live mode'],
    ['a key of live mode that the service does not accept', ['live_key'], '--live', 3, 'does not accept the API key'],
  ])('billhook login refuses %s and stores nothing', async (_, answers, flags, code, sentence) => {
    const result = await user.run(`login --url ${service.url} ${flags}`, {}, answers)
    expect(result).toMatchObject({ code, out: '', error: expect.stringContaining(sentence) })
    expect(existsSync(fileOf(user))).toBe(false)
  })

  it('billhook login refuses an http URL of another machine without --allow-http', async () => {
    expect(await user.run('login --url http://pay.example')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--allow-http'),
    })
  })

  it('XDG_CONFIG_HOME sets the folder of the login file, and a relative XDG_CONFIG_HOME is ignored', () => {
    expect(configFile({ HOME: '/home/ada', XDG_CONFIG_HOME: '/x' })).toBe('/x/billhook/config.json')
    expect(configFile({ HOME: '/home/ada', XDG_CONFIG_HOME: 'x' })).toBe('/home/ada/.config/billhook/config.json')
  })

  it('a damaged login file and an API key without a service URL are refused with exit code 3', async () => {
    mkdirSync(path.dirname(fileOf(user)), { recursive: true })
    writeFileSync(fileOf(user), 'x')
    expect(await user.run('status')).toMatchObject({ code: 3, error: expect.stringContaining('cannot be read') })
    user.env.BILLHOOK_KEY = service.key
    expect((await user.run('status')).error).toContain('cannot be read')
    writeFileSync(fileOf(user), '{}')
    expect(await user.run('status')).toMatchObject({ code: 3, error: expect.stringContaining('BILLHOOK_URL') })
  })

  it('a stored key is not sent to a different service in BILLHOOK_URL', async () => {
    await user.run(`login --url ${service.url} --key-file -`, {}, [service.key])
    user.env.BILLHOOK_URL = `${service.url}/`
    expect(await user.run('status')).toMatchObject({ code: 0 })
    const before = service.requests
    user.env.BILLHOOK_URL = `${service.url}/other`
    expect(await user.run('status')).toMatchObject({
      code: 3,
      error: expect.stringContaining('BILLHOOK_KEY is missing'),
    })
    expect(service.requests).toBe(before)
  })
})

describe('a command line', () => {
  it.each([
    ['frob', 'There is no command "frob".'],
    ['lisen', 'Did you mean: billhook listen'],
    ['clock', 'Use one of: clock advance, clock show'],
    ['clock advanse', 'Did you mean: billhook clock advance'],
    ['listen --forward localhost', 'Did you mean --forward-to?'],
    ['listen --forward-to', 'The flag --forward-to needs a value'],
    ['listen now', 'does not take "now"'],
    ['resend', 'The command resend needs ID'],
    ['trigger', 'The command trigger needs EVENT'],
    ['trigger order.payd', 'Did you mean: billhook trigger order.paid'],
    ['trigger --list=yes', 'The flag --list takes no value.'],
    ['seed --months 25', 'from 1 to 24'],
    ['seed --year --months 2', 'not both'],
    ['clock advance P1M --to 2027-01-01', 'needs a duration, or --to'],
    ['open frob', 'admin, docs, portal'],
    ['open docs --customer x', 'only with the page portal'],
    ['completion csh', 'bash, zsh, fish'],
    ['--json', 'The command is missing'],
  ])('the command line "%s" is refused with exit code 2 and a hint', async (line, sentence) => {
    expect(await user.run(line)).toMatchObject({ code: 2, error: expect.stringContaining(sentence) })
  })

  it('with --json, the program prints an error as one JSON value', async () => {
    const { out, error } = await user.run('status --json')
    expect(out).toBe('')
    expect(JSON.parse(error)).toEqual({
      code: 'not_logged_in',
      message: 'You are not logged in.',
      why: null,
      next: expect.any(String),
    })
  })

  it('commands for test mode refuse a live key', async () => {
    Object.assign(user.env, { BILLHOOK_URL: service.url, BILLHOOK_KEY: 'live_key' })
    for (const line of ['clock show', 'clock advance P1M', 'seed', 'trigger order.paid'])
      expect(await user.run(line)).toMatchObject({ code: 3, error: expect.stringContaining('test mode only') })
    expect(service.requests).toBe(0)
  })

  it('the help lists every command, and describes each command within 80 columns', async () => {
    const { out } = await user.run('help')
    for (const { name } of commands) {
      expect(out).toContain(`  ${name}`)
      const described = await user.run(`help ${name}`)
      expect(described).toMatchObject({ code: 0, out: expect.stringContaining(`billhook ${name}`) })
      expect((await user.run(`${name} --help`)).out).toBe(described.out)
      const isExample = (text: string) => /^ {2}(?:billhook|source) /.test(text)
      expect(described.out.split('\n').filter((text) => text.length > 80 && !isExample(text))).toEqual([])
    }
    expect(out.split('\n').filter((text) => text.length > 80)).toEqual([])
    expect((await user.run('')).out).toBe(out)
    expect((await user.run('clock --help')).out).toContain('clock show')
    expect(JSON.parse((await user.run('help --json')).out)).toHaveLength(commands.length)
  })

  it('billhook open prints the URL, and starts a browser only in an interactive terminal', async () => {
    Object.assign(user.env, { BILLHOOK_URL: service.url, BILLHOOK_KEY: service.key })
    expect(await user.json('open docs')).toEqual({ page: 'docs', url: `${service.url}/docs`, isOpened: false })
    const opened: string[] = []
    const open = async (url: string) => opened.push(url) > 0
    expect(await user.run('open', { isInteractive: true, open })).toMatchObject({
      code: 0,
      out: `${service.url}/admin\n`,
    })
    await user.run('open --print', { isInteractive: true, open })
    expect(opened).toEqual([`${service.url}/admin`])
  })
})

describe('colors', () => {
  it.each([
    [{}, true, false, true],
    [{}, false, false, false],
    [{}, true, true, false],
    [{ NO_COLOR: '1' }, true, false, false],
    [{ NO_COLOR: '' }, true, false, true],
    [{ TERM: 'dumb' }, true, false, false],
    [{ FORCE_COLOR: '1' }, false, false, true],
    [{ FORCE_COLOR: '0' }, true, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false, false],
  ])(
    'with the environment %j (terminal: %s, --no-color: %s), the output has colors: %s',
    (env, isTerminal, noColor, expected) => {
      expect(wantsColor(env, isTerminal, noColor)).toBe(expected)
    },
  )
})

describe('addresses', () => {
  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['pay.example', 'https://pay.example'],
    ['https://pay.example/billing/', 'https://pay.example/billing'],
  ])('the service address "%s" is read as the URL %s', (typed, url) => {
    expect(checkedUrl(typed)).toBe(url)
  })

  it.each(['ftp://x', 'https://a:b@x.example', 'https://x.example?y', '', 'https://'])(
    'the service address "%s" is refused',
    (typed) => {
      expect(() => checkedUrl(typed)).toThrow('is not the address')
    },
  )

  it.each([
    ['localhost:3000/webhooks', 'http://localhost:3000/webhooks'],
    ['3000', 'http://localhost:3000/'],
    [':3000/hooks', 'http://localhost:3000/hooks'],
    ['3000/hooks', 'http://localhost:3000/hooks'],
    ['https://shop.example/hooks', 'https://shop.example/hooks'],
    ['[::1]:3000/a', 'http://[::1]:3000/a'],
  ])('the receiver address "%s" is read as the URL %s', (typed, url) => {
    expect(receiverUrl(typed)).toBe(url)
  })
})

describe('the names of events', () => {
  const names = ['order.paid', 'order.canceled', 'refund.completed']
  it.each([
    [undefined, names],
    ['*', names],
    ['order.*', ['order.paid', 'order.canceled']],
    ['order.paid, refund.completed', ['order.paid', 'refund.completed']],
  ])('the --events filter %s selects %j', (text, selected) => {
    expect(names.filter(eventFilter(text, names))).toEqual(selected)
  })

  it('the --events filter refuses an unknown event name', () => {
    expect(() => eventFilter('order.*,orders.*', names)).toThrow('"orders.*"')
  })

  it('billhook trigger --list marks the events that cannot be triggered, and billhook trigger refuses these events', async () => {
    const list: { eventName: string; isSupported: boolean }[] = await user.json('trigger --list')
    expect(list.map(({ eventName }) => eventName)).toEqual(eventNames)
    expect(list.filter(({ isSupported }) => !isSupported).map(({ eventName }) => eventName)).toEqual([
      'order.chargeback_received',
      'order.chargeback_reversed',
      'refund.failed',
      'one_off_product.update_rejected',
      'subscription_plan.update_rejected',
    ])
    Object.assign(user.env, { BILLHOOK_URL: service.url, BILLHOOK_KEY: service.key })
    for (const { eventName } of list.filter(({ isSupported }) => !isSupported))
      expect(await user.run(`trigger ${eventName}`)).toMatchObject({
        code: 1,
        out: '',
        error: expect.stringContaining(`No API request triggers ${eventName}.`),
      })
  })
})

describe('the test clock', () => {
  const starts = ['2027-01-31T10:00:00Z', '2028-02-29T23:59:59Z', '2027-12-15T00:00:00Z']
  const durations = ['P1M', 'P1Y', 'P13M', 'P1Y2M3W4DT5H6M7S', 'PT25H', '30d', '2w', '90m', '12h', '45s']
  it.each(starts.flatMap((start) => durations.map((duration) => [start, duration] as const)))(
    'the command line and the service compute the same time if a clock advances from %s by %s',
    (start, duration) => {
      const expected = addDuration(new Date(start), parseTypedDuration(duration) ?? {})
      expect(momentAfter(new Date(start), duration)).toEqual(expected)
    },
  )

  it.each(['P', 'PT', '1M', 'P1.5M', '-P1M', 'soon', 'P9999Y', 'P999999999Y'])(
    'the duration or time "%s" is refused',
    (duration) => {
      expect(() => momentAfter(new Date('2027-01-01T00:00:00Z'), duration)).toThrow()
    },
  )
})

describe('completions', () => {
  it.each([
    [
      '',
      [
        'login',
        'logout',
        'status',
        'whoami',
        'listen',
        'resend',
        'trigger',
        'clock',
        'seed',
        'open',
        'completion',
        'help',
      ],
    ],
    ['l', ['login', 'logout', 'listen']],
    ['clock ', ['advance', 'show']],
    ['clock a', ['advance']],
    ['help cl', ['clock']],
    ['listen --f', ['--forward-to']],
    ['listen --events checkout.', ['checkout.paid', 'checkout.failed', 'checkout.canceled', 'checkout.expired']],
    ['trigger ', triggerable],
    ['trigger refund', ['refund.completed', 'refund.canceled']],
    ['trigger order.paid ', []],
    ['open ', ['admin', 'docs', 'portal']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['clock advance ', ['P1D', 'P1W', 'P1M', 'P1Y']],
    ['frob ', []],
  ])('the shell completion of "%s" offers exactly the words that can follow', async (line, expected) => {
    expect(completions(line.split(' '), commands)).toEqual(expected)
    expect((await user.run(['__complete', ...line.split(' ')])).out.split('\n').filter(Boolean)).toEqual(expected)
  })

  it('every supported shell has a completion script', async () => {
    for (const [shell, script] of Object.entries(scripts))
      expect((await user.run(`completion ${shell}`)).out).toBe(script)
  })
})
