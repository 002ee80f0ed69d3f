import { advance, momentAfter, momentOf } from '../clock.ts'
import { command } from '../command.ts'
import { causeOf, causes, type EventName, eventNames, triggerable } from '../events.ts'
import { CommandFailure, wrongUsage } from '../failure.ts'
import { patient, requireTestLogin } from '../login.ts'
import { nearest } from '../parse.ts'
import { pause } from '../pause.ts'
import { seedHistory } from '../seed.ts'
import { Shop } from '../shop.ts'
import { aligned, facts, paint, type Terminal, table } from '../terminal.ts'

/** Milliseconds to wait for the effect of a test helper. */
const patienceMs = 60_000

const bar = (share: number): string => `[${'#'.repeat(Math.floor(share * 20)).padEnd(20, '.')}]`

const trigger = command({
  name: 'trigger',
  group: 'Test mode',
  summary: 'Trigger an event with real API requests',
  args: [{ name: 'EVENT', help: 'such as order.paid', isOptional: true, values: triggerable }],
  flags: { list: { help: 'list all events, and how each event is triggered' } },
  details: [
    'A sale creates a plan (once), a checkout, and a new buyer, and pays on the hosted pages. Some events move the test clock. The flag --list shows these events.',
  ],
  examples: ['billhook trigger order.paid', 'billhook trigger --list'],
  async run({ args: [name], flags, terminal }): Promise<object> {
    if (flags.list || name === undefined) {
      if (!flags.list)
        throw wrongUsage('The command trigger needs EVENT, such as order.paid.', 'billhook trigger --list')
      return eventNames.map(listed)
    }
    const known = eventNames.find((each) => each === name)
    if (!known) {
      const near = nearest(name, eventNames)
      throw wrongUsage(
        `There is no event "${name}".`,
        near ? `Did you mean: billhook trigger ${near}` : 'billhook trigger --list',
      )
    }
    return triggered(known, terminal)
  },
  show: (value, terminal) =>
    Array.isArray(value) ? showList(value, terminal) : showTriggered(value as never, terminal),
})

const listed = (eventName: EventName) => {
  const cause = causes[eventName]
  if (!('run' in cause)) return { eventName, isSupported: false, movesClock: null, description: cause.impossible }
  return { eventName, isSupported: true, movesClock: cause.movesClock ?? null, description: cause.calls }
}

type Listed = ReturnType<typeof listed>

function showList(rows: readonly Listed[], terminal: Terminal): string {
  const lines = rows.map(({ eventName, isSupported, movesClock, description }) => {
    const clock = movesClock ? ` (moves the test clock by ${movesClock})` : ''
    return [eventName, isSupported ? `${description}${clock}` : `not supported: ${description}`] as const
  })
  return `${aligned(lines, Math.min(120, terminal.columns)).join('\n')}\n`
}

async function triggered(eventName: EventName, terminal: Terminal) {
  const login = requireTestLogin(terminal)
  const { billhook } = login
  const { signal } = terminal
  const cause = causeOf(eventName)
  const newest = (await billhook.listWebhookEvents({ limit: 1 })).data[0]?.id ?? ''
  terminal.progress(`Triggering ${eventName}: ${cause.calls}`)
  const until = async <Value>(read: () => Promise<Value | null | undefined>): Promise<Value> => {
    const end = Date.now() + patienceMs
    while (Date.now() < end && !signal.aborted) {
      const value = await read()
      if (value !== null && value !== undefined) return value
      await pause(terminal.pollMs / 2, signal)
    }
    throw new CommandFailure(`The event ${eventName} did not happen within ${patienceMs / 1000} seconds.`, {
      code: 'timeout',
      next: 'Check that the service runs its background tasks: open /readyz, or ask the operator to run `npm run cli -- doctor`.',
    })
  }
  const pass = async (by: string) => {
    await advance(billhook, (now) => momentAfter(now, by), {
      signal,
      onProgress: (share, now) => terminal.progress(`Moving the test clock: ${bar(share)} ${now}`),
    })
  }
  const entityId = await cause.run({ shop: new Shop(login), pass, until })
  const event = await until(async () => {
    const { data } = await billhook.listWebhookEvents({ eventName, entityId, limit: 1 })
    return data.find(({ id }) => id > newest)
  })
  return { id: event.id, eventName, entityId, createdAt: event.createdAt }
}

const showTriggered = (
  { id, eventName, entityId }: Awaited<ReturnType<typeof triggered>>,
  terminal: Terminal,
): string => `${paint(terminal, 'green', eventName)}  ${id}  (${entityId})\n`

const clockAdvance = command({
  name: 'clock advance',
  group: 'Test mode',
  summary: 'Move the test clock, and run all due tasks: renewals, trial ends, retries',
  args: [
    {
      name: 'DURATION',
      help: 'such as P1M, P1Y, PT25H, or 30d',
      isOptional: true,
      values: ['P1D', 'P1W', 'P1M', 'P1Y'],
    },
  ],
  flags: { to: { value: 'TIME', help: 'the new time instead of a duration, such as 2027-01-31' } },
  details: [
    'The command ends when all due tasks have run. Its output lists the orders that wait for simulate-payment.',
  ],
  examples: ['billhook clock advance P1M', 'billhook clock advance --to 2027-01-31T09:00:00Z'],
  async run({ args: [by], flags, terminal }) {
    const { to } = flags
    if ((by === undefined) === (typeof to !== 'string'))
      throw wrongUsage('The command clock advance needs a duration, or --to with a time.', 'billhook clock advance P1M')
    const targetOf = (now: Date) => (typeof to === 'string' ? momentOf(to) : momentAfter(now, by ?? ''))
    const { billhook } = patient(requireTestLogin(terminal))
    targetOf(new Date())
    return advance(billhook, targetOf, {
      signal: terminal.signal,
      onProgress: (share, now) => terminal.progress(`${bar(share)} ${Math.floor(share * 100)} %  ${now}`),
    })
  },
  show({ now, ran, waiting }) {
    const heading = `The test clock shows ${now}. ${ran === 1 ? '1 task' : `${ran} tasks`} ran.\n`
    if (waiting.length === 0) return heading
    const rows = waiting.map(({ orderId, subscriptionId }) => [`  ${orderId}`, subscriptionId ?? ''])
    return `${heading}\nThese orders wait for POST /v1/test-helpers/orders/{id}/simulate-payment:\n${table(rows)}`
  },
})

const clockShow = command({
  name: 'clock show',
  group: 'Test mode',
  summary: 'Show the time on the test clock',
  async run({ terminal }) {
    const { now } = await requireTestLogin(terminal).billhook.getTestClock()
    return { now, aheadSeconds: Math.max(0, Math.round((new Date(now).getTime() - Date.now()) / 1000)) }
  },
  show({ now, aheadSeconds }) {
    const days = Math.floor(aheadSeconds / 86_400)
    const ahead = days > 0 ? `${days} days` : `${aheadSeconds} seconds`
    return `${now}${aheadSeconds > 5 ? ` (${ahead} ahead of real time)` : ''}\n`
  },
})

const seed = command({
  name: 'seed',
  group: 'Test mode',
  summary: 'Create sales, renewals, declined payments, refunds, and cancellations',
  flags: {
    year: { help: 'twelve months, like --months 12' },
    months: { value: 'N', help: 'the number of months, from 1 to 24 (default: 1)' },
  },
  details: [
    'The command sells to buyers in several countries with API requests, and moves the test clock one month at a time.',
  ],
  examples: ['billhook seed --year'],
  async run({ flags, terminal }) {
    const months = flags.year ? 12 : Number(flags.months ?? 1)
    if (!Number.isInteger(months) || months < 1 || months > 24)
      throw wrongUsage('--months must be an integer from 1 to 24.', 'billhook seed --months 3')
    if (flags.year && flags.months) throw wrongUsage('Use --year or --months, not both.')
    return seedHistory(new Shop(patient(requireTestLogin(terminal))), months, {
      signal: terminal.signal,
      onProgress: (share, what) => terminal.progress(`${bar(share)} ${Math.floor(share * 100)} %  ${what}`),
    })
  },
  show: ({ months, sales, paidOrders, refunds, cancellations, clock }, terminal) =>
    facts(
      [
        ['Months', String(months)],
        ['Sales', String(sales)],
        ['Paid orders', String(paidOrders)],
        ['Refunds', String(refunds)],
        ['Cancellations', String(cancellations)],
        ['Test clock', clock],
      ],
      terminal,
    ),
})

export const testModeCommands = [trigger, clockAdvance, clockShow, seed]
