import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { roles } from '../modules/operators/rules/access.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { nameOf } from './help.ts'
import { main, understand } from './main.ts'
import { readable, toJson } from './output.ts'
import { withSecrets } from './secret-file.ts'

/** The check of SECRET_KEY needs a database, which this test does not have. */
vi.mock('../server/secret-key.ts', () => ({ requireSecretKey: async () => undefined }))

const table: readonly Command[] = [
  {
    noun: 'key',
    verb: 'create',
    summary: 'Issue a key',
    flags: {
      storefront: { value: 'ID', help: 'the id', required: true },
      mode: { value: 'test|live', help: 'the mode', oneOf: ['test', 'live'] },
    },
    run: async (flags) => flags,
  },
  { noun: 'key', verb: 'list', summary: 'List keys', flags: {}, run: async () => [] },
  { noun: 'review', verb: 'list', summary: 'List reviews', flags: {}, run: async () => [] },
  { noun: 'check', summary: 'Check', flags: { of: { value: 'ID', help: 'what' } }, run: async (flags) => flags },
]

const ask = (line: string) =>
  understand(line.split(' ').filter(Boolean), [{ title: 'Keys and checks', commands: table }])

describe('a command line', () => {
  it.each([
    ['key create --storefront s1', { storefront: 's1' }],
    ['key create --storefront=s1 --mode live', { storefront: 's1', mode: 'live' }],
    ['--json key create --storefront s1', { storefront: 's1' }],
    ['key create --json --storefront s1', { storefront: 's1' }],
    ['key list', {}],
    ['check', {}],
    ['--json check --of it', { of: 'it' }],
  ])('the command line "%s" is parsed into a command and flags', (line, flags) => {
    expect(ask(line)).toEqual({
      command: expect.objectContaining({ noun: expect.stringMatching(/^(key|check)$/) }),
      flags,
    })
  })

  it.each([
    ['frob list', 'There is no command "frob". Use one of: key, review, check.'],
    ['key', 'The command key needs a verb. Use one of: create, list.'],
    ['key frob', 'There is no command "key frob". Use one of: create, list.'],
    ['key frob --help', 'There is no command "key frob". Use one of: create, list.'],
    ['key create', 'key create needs --storefront ID: the id.'],
    ['key create --storefront', '--storefront needs a value: the id.'],
    ['key create --storefront=', '--storefront needs a value: the id.'],
    ['key create --storefront s1 --mode prod', '--mode must be test or live.'],
    ['key create --storefront s1 --nope 1', 'key create has no flag --nope. Its flags: --storefront, --mode.'],
    ['key create --storefront s1 -x', 'key create has no flag -x. Its flags: --storefront, --mode.'],
    ['key create --storefront s1 s2', 'key create takes flags only, not "s2".'],
    [
      'key create --storefront s1 --constructor x',
      'key create has no flag --constructor. Its flags: --storefront, --mode.',
    ],
    ['key list --storefront s1', 'key list has no flag --storefront. Its flags: none.'],
    ['check all', 'check takes flags only, not "all".'],
    ['check --all yes', 'check has no flag --all. Its flags: --of.'],
    ['check --of', '--of needs a value: what.'],
  ])('the command line "%s" is refused with the message: %s', (line, sentence) => {
    expect(() => ask(line)).toThrow(new Error(sentence))
  })
})

describe('help', () => {
  it.each([
    ['help', '--help'],
    ['help key', 'key --help'],
    ['help key create', 'key create --help'],
  ])('the command line "%s" prints the same help as "%s"', (line, same) => {
    expect(ask(line)).toEqual(ask(same))
    expect(ask(line)).toEqual({ help: expect.stringContaining('Usage:') })
  })

  it.each([
    ['', ['Keys and checks\n  key create', 'review list']],
    ['--help', ['key create', 'review list']],
    ['key --help', ['key create', 'key list']],
    [
      'key create --help',
      [
        '-- key create --storefront ID [--mode test|live]\n',
        '--storefront ID',
        'the id (required)',
        '--mode test|live',
        '--json',
      ],
    ],
    ['key create -h', ['--storefront ID']],
    ['check --help', ['-- check [--of ID]', '--of ID', '--json']],
  ])('the command line "%s" prints the help of its command', (line, parts) => {
    const answer = ask(line)
    for (const part of parts) expect(answer).toEqual({ help: expect.stringContaining(part) })
  })

  it('every line of the help fits into 100 columns', () => {
    const asked = [[], ...commands.map(({ noun, verb }) => [noun, ...(verb === undefined ? [] : [verb])])]
    for (const words of asked) {
      const answer = understand(['help', ...words])
      const lines = 'help' in answer ? answer.help.split('\n') : []
      expect(lines.filter((line) => line.length > 100)).toEqual([])
    }
  })

  it('the help of `member create` has one line for each role', () => {
    const answer = understand(['member', 'create', '--help'])
    const lines = 'help' in answer ? answer.help.split('\n') : []
    const from = lines.indexOf('ROLE is one of:')
    expect(lines.slice(from + 1, -1).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([...roles])
  })

  it('the help of `restore`, a command that also has subcommands, describes the command and lists the subcommands', () => {
    const { help } = understand(['help', 'restore']) as { help: string }
    for (const part of ['-- restore --from FILE', 'restore compare', 'restore release']) expect(help).toContain(part)
    expect(understand(['help', 'restore', 'list'])).toEqual({ help: expect.not.stringContaining('--from') })
  })

  it('the help of the key commands omits the review commands', () => {
    expect(ask('key --help')).toEqual({ help: expect.not.stringContaining('review') })
  })

  const choices = commands.flatMap((command) =>
    Object.entries(command.flags).flatMap(([flag, { oneOf }]) =>
      oneOf ? [[nameOf(command), flag, oneOf] as const] : [],
    ),
  )
  it.each(choices)('the help of %s lists every value that --%s allows', (name, _, values) => {
    const { help } = understand([...name.split(' '), '--help']) as { help: string }
    for (const value of values) expect(help).toContain(value)
  })

  it('the general help lists every command', () => {
    const named = commands.map(nameOf)
    expect(new Set(named).size).toBe(named.length)
    for (const name of named) expect(understand(['--help'])).toEqual({ help: expect.stringContaining(`  ${name}`) })
  })
})

describe('the mode', () => {
  const withMode = commands.filter(({ flags }) => flags.mode && !flags.mode.required)

  it.each(withMode.map((command) => [nameOf(command), command] as const))(
    'the help of %s states the mode that applies without --mode',
    (_, { flags }) => {
      expect(flags.mode?.help).toMatch(/ \(default: (test|live|both)\)$/)
    },
  )

  it('only `key create` and the `payout` commands that change something require --mode', () => {
    const required = commands.filter(({ flags }) => flags.mode?.required).map((each) => nameOf(each))
    const payouts = ['create', 'request', 'export', 'schedule', 'set-account', 'stop-account-change']
    expect(required).toEqual(['key create', ...payouts.map((verb) => `payout ${verb}`)])
  })

  it('the commands for payment links, the ledger, reading payouts, and `email lift` default to test mode, and tax-return commands default to live mode', () => {
    const without = (mode: string) =>
      withMode.filter(({ flags }) => flags.mode?.help.endsWith(`(default: ${mode})`)).map((each) => nameOf(each))
    const payouts = ['list', 'account']
    const books = ['balance', 'entries', 'reconcile', 'statement']
    expect(without('test')).toEqual([
      'payment-link create',
      'payment-link list',
      ...books.map((verb) => `ledger ${verb}`),
      ...payouts.map((verb) => `payout ${verb}`),
      'email lift',
    ])
    expect(without('live')).toEqual(['oss', 'sales-list', 'thresholds', 'totals'].map((verb) => `tax-return ${verb}`))
  })
})

describe('the program', () => {
  const call = async (line: string, connect = async () => async () => {}) => {
    const written = { out: '', error: '' }
    const append = (stream: keyof typeof written) => (text: string) => {
      written[stream] += text
    }
    const streams = { out: append('out'), error: append('error') }
    const code = await main(line.split(' ').filter(Boolean), connect, streams)
    return { code, ...written }
  }
  const unreachable = async () => {
    throw Object.assign(new Error('The database x cannot be reached.'), { name: 'UserFacingError' })
  }

  it('the help command needs no database', async () => {
    expect(await call('key --help', unreachable)).toMatchObject({ code: 0, error: '' })
  })

  it('a command without a database connection prints one sentence and exits with code 2', async () => {
    expect(await call('review list', unreachable)).toEqual({
      code: 2,
      out: '',
      error: 'The database x cannot be reached.\n',
    })
  })

  it('a command that fails with --json prints one line of JSON with a code and a message', async () => {
    const { code, out, error } = await call('review approve --json')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toMatch(/^.+\n$/)
    expect(JSON.parse(error)).toEqual({ code: 'usage', message: expect.stringContaining('--id') })
  })

  it.each(['0', '1001', '1.5', 'x', '-1'])('`event list` refuses --limit %s', async (limit) => {
    const { code, error } = await call(`event list --storefront s --limit=${limit}`)
    expect({ code, error }).toEqual({ code: 1, error: '--limit: Must be from 1 to 1000.\n' })
  })

  it.each(['x', '0d', '-1d', 'P9999Y'])('`key create` refuses --expires-in %s', async (duration) => {
    const { code, error } = await call(`key create --storefront s --mode test --expires-in=${duration}`)
    expect({ code, error }).toEqual({ code: 1, error: '--expires-in: Must be a duration such as 12h, 30d or P1M.\n' })
  })
})

describe('the output of a command', () => {
  const rows = [
    { id: 'a', at: new Date('2026-01-02T03:04:05.678Z'), amount: 12n },
    { id: 'longer', at: null, links: { self: 'x' } },
  ]

  it('a command prints a list as a table', () => {
    expect(readable(rows)).toBe(
      [
        'id      at                    amount  links',
        'a       2026-01-02T03:04:05Z  12      -',
        'longer  -                     -       {"self":"x"}',
        '',
      ].join('\n'),
    )
    expect(readable([])).toBe('(none)\n')
  })

  it('the table output of a command omits the fields that the command marks as JSON only', () => {
    expect(readable([{ id: 'a', text: 'Two\nlines' }], ['text'])).toBe('id\na\n')
  })

  it('a command prints an object with one line per field', () => {
    expect(readable(rows[0])).toBe('id: a\nat: 2026-01-02T03:04:05Z\namount: 12\n')
  })

  it('a command prints records with a multi-line text as separate blocks', () => {
    const emails = [
      { subject: 'Hello', text: 'First\n\nSecond\n', html: '<p>' },
      { subject: 'Bye', text: 'Only', html: '<p>' },
    ]
    expect(readable(emails, ['html'])).toBe('subject: Hello\ntext:\n  First\n\n  Second\n\nsubject: Bye\ntext: Only\n')
  })

  it('--json prints the result as one line of JSON', () => {
    expect(toJson([...rows, { id: 'b', text: 'Two\nlines' }])).not.toContain('\n')
    expect(JSON.parse(toJson(rows))).toEqual([
      { id: 'a', at: '2026-01-02T03:04:05Z', amount: '12' },
      { id: 'longer', at: null, links: { self: 'x' } },
    ])
    expect(toJson(undefined)).toBe('null')
  })

  it('in a table cell, a command separates the values of a list with commas', () => {
    expect(readable([{ ids: ['a', 'b'] }, { ids: [] }, { ids: [1] }])).toBe('ids\na, b\n-\n[1]\n')
  })
})

describe('a secret', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-secret-'))
  const file = path.join(folder, 'password')
  afterAll(() => rmSync(folder, { recursive: true }))
  const creates = (given: string) => understand(`operator create --email a@b.example ${given}`.trim().split(' '))
  const flagsOf = (call: ReturnType<typeof understand>) => ('flags' in call ? call.flags : {})

  it('a command reads a secret from a file and ignores the final line break', async () => {
    writeFileSync(file, 'long enough for all\n')
    const values = await withSecrets(flagsOf(creates(`--password-file ${file}`)), ['password'])
    expect(values).toEqual({ email: 'a@b.example', password: 'long enough for all' })
  })

  it.each([
    ['', /needs --password PASSWORD or --password-file FILE: the password/],
    ['--password x --password-file y', /takes --password or --password-file, not both/],
    ['--email-file y --password x', /has no flag --email-file/],
  ])('`operator create` refuses the flags "%s"', (given, sentence) => {
    expect(() => creates(given)).toThrow(sentence)
  })

  it('a command refuses a secret from an empty or missing file', async () => {
    writeFileSync(file, '\n')
    const read = (from: string) => withSecrets({ 'password-file': from }, ['password'])
    await expect(read(file)).rejects.toMatchObject({ on: { 'password-file': ['The file must not be empty.'] } })
    await expect(read(`${file}-away`)).rejects.toMatchObject({
      on: { 'password-file': ['The file cannot be read (ENOENT).'] },
    })
  })

  it('the help of a command with a secret lists the flag that reads the secret from a file', () => {
    expect(understand(['operator', 'create', '--help'])).toEqual({
      help: expect.stringContaining('--password-file FILE'),
    })
  })
})
