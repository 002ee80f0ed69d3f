import { command } from '../command.ts'
import { CommandFailure, described, exitCodes, wrongUsage } from '../failure.ts'
import {
  checkedUrl,
  configFile,
  forget,
  isLoopback,
  type Login,
  loginOf,
  masked,
  readStored,
  requireLogin,
  writeStored,
} from '../login.ts'
import { facts, paint, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'

const defaultUrl = 'http://localhost:3000'

interface Flags {
  readonly url?: string | true
  readonly 'key-file'?: string | true
  readonly live?: string | true
  readonly 'allow-http'?: string | true
}

const login = command({
  name: 'login',
  group: 'Account',
  summary: 'Store the address of a service and an API key',
  flags: {
    url: { value: 'URL', help: `the address of the service (default: prompt, ${defaultUrl})` },
    'key-file': { value: 'FILE', help: 'a file with the API key, or - for standard input (default: prompt)' },
    live: { help: 'accept a key of live mode, for listen, resend, and open' },
    'allow-http': { help: 'accept an http address of another machine, which exposes the key to the network' },
  },
  details: [
    'The command checks the key with an API request and stores the key in a file that only you can read. Use a key that begins with test_. The key is not a flag, because other users of the machine can read command lines.',
    'BILLHOOK_URL and BILLHOOK_KEY replace the login, for example in CI.',
  ],
  examples: ['billhook login', 'billhook login --url https://pay.example.com --key-file key.txt'],
  async run({ flags, terminal }) {
    const url = await askedUrl(flags, terminal)
    const key = await askedKey(flags, terminal)
    const made = loginOf(url, key, 'login')
    await verify(made)
    const { url: before, key: _, ...rest } = readStored(terminal.env)
    writeStored(terminal.env, { ...(before === url ? rest : {}), url, key })
    return { url, testmode: made.testmode, key: masked(key), configFile: configFile(terminal.env) }
  },
  show: ({ url, testmode, key, configFile: file }, terminal) =>
    `${paint(terminal, 'green', 'Logged in')} to ${url} with the ${testmode ? 'test' : 'LIVE'} key ${key}.\nStored in ${file}. Next: billhook listen --forward-to localhost:4000/webhooks\n`,
})

async function askedUrl(flags: Flags, terminal: Terminal): Promise<string> {
  const typed =
    typeof flags.url === 'string' ? flags.url : await terminal.ask(`Address of the service [${defaultUrl}]: `)
  const url = checkedUrl(typed || defaultUrl)
  if (url.startsWith('http:') && !isLoopback(new URL(url).host) && !flags['allow-http'])
    throw wrongUsage(
      `The address ${url} is not encrypted, so others on the network can read the key.`,
      'Use https, or add --allow-http in a network that you trust',
    )
  return url
}

async function askedKey(flags: Flags, terminal: Terminal): Promise<string> {
  const file = flags['key-file']
  const text =
    file === '-'
      ? await terminal.readInput()
      : typeof file === 'string'
        ? await readKey(file)
        : await terminal.ask('API key (test_…, not shown): ', { isHidden: true })
  const key = text.trim()
  if (!/^(?:test|live)_[\x21-\x7e]+$/.test(key))
    throw wrongUsage(
      'The text is not an API key: an API key begins with test_ or live_.',
      'Create a key in the admin area under Developers, API keys',
    )
  if (key.startsWith('live_') && !flags.live)
    throw new CommandFailure('The key is a live mode key, so commands would read data of real customers.', {
      code: 'live_key',
      exitCode: exitCodes.key,
      next: 'Use a key that begins with test_, or add --live',
    })
  return key
}

async function readKey(file: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(file, 'utf8').catch((error: Error) => {
    throw wrongUsage(`The file ${file} cannot be read: ${error.message}.`)
  })
}

async function verify({ billhook, testmode, url }: Login): Promise<{ now: string | null }> {
  try {
    if (testmode) return await billhook.getTestClock({ maxRetries: 0 })
    await billhook.listWebhookEvents({ limit: 1 }, { maxRetries: 0 })
    return { now: null }
  } catch (error) {
    throw described(error, url)
  }
}

const logout = command({
  name: 'logout',
  group: 'Account',
  summary: 'Delete the stored login',
  run: async ({ terminal }) => ({ wasLoggedIn: forget(terminal.env) }),
  show: ({ wasLoggedIn }) => (wasLoggedIn ? 'Logged out.\n' : 'You were not logged in.\n'),
})

const statusOf = async ({ terminal }: { terminal: Terminal }) => {
  const found = requireLogin(terminal)
  const { now } = await verify(found)
  const { url, testmode, key, source } = found
  return { url, testmode, key: masked(key), source, clock: now, configFile: configFile(terminal.env), version }
}

const status = {
  group: 'Account',
  summary: 'Check the login, and show the service, the mode, and the time on the test clock',
  run: statusOf,
  show: (value: Awaited<ReturnType<typeof statusOf>>, terminal: Terminal) =>
    facts(
      [
        ['Service', value.url],
        ['Mode', value.testmode ? 'test' : paint(terminal, 'yellow', 'live')],
        ['Key', `${value.key} (${value.source === 'login' ? value.configFile : 'from BILLHOOK_KEY'})`],
        ...(value.clock ? [['Test clock', value.clock] as const] : []),
        ['Version', value.version],
      ],
      terminal,
    ),
} as const

export const accountCommands = [
  login,
  logout,
  command({ name: 'status', ...status }),
  command({ name: 'whoami', ...status, summary: 'An alias of status' }),
]
