import { BillhookError, type WebhookEvent } from '@billhook/sdk'
import { type Call, command } from '../command.ts'
import { eventNames } from '../events.ts'
import { CommandFailure, exitCodes, wrongUsage } from '../failure.ts'
import { EventFeed } from '../feed.ts'
import { eventFilter, type Forwarded, forward, forwardPatiently, isSuccess, receiverUrl } from '../forward.ts'
import { readStored, requireLogin, signingSecret, writeStored } from '../login.ts'
import { paint, type Terminal } from '../terminal.ts'

const text = (flag: string | true | undefined): string | undefined => (typeof flag === 'string' ? flag : undefined)

const listen = command({
  name: 'listen',
  group: 'Webhooks',
  summary: 'Show new events, and forward them to a receiver on your machine',
  flags: {
    'forward-to': { value: 'ADDRESS', help: 'the receiver, such as localhost:4000/webhooks' },
    events: { value: 'NAMES', help: 'only these events, such as order.paid,refund.* (default: all)' },
    after: { value: 'ID', help: 'start after this event (default: start now)' },
  },
  details: [
    'The command polls the service for new events, so the command opens no port and needs no public address. The command sends the events one after the other, like the service, and signs each event with the printed secret. The secret stays the same: set it as the WEBHOOK_SECRET of your receiver. If WEBHOOK_SECRET is set for this command, the command signs with this secret.',
    'After a lost connection or a restart of the service, the command continues after the last event. While nothing listens at the address of the receiver, the command waits. After a response other than 2xx, the command shows the response and does not retry: `billhook resend ID` sends the event again.',
    'Ctrl-C ends the command. With --json the command prints one JSON object per line.',
  ],
  examples: [
    'billhook listen --forward-to localhost:4000/webhooks',
    'billhook listen --events order.*,subscription.started',
  ],
  run: listenTo,
})

function print(terminal: Terminal, value: object, shown: string): void {
  terminal.out(terminal.isJson ? `${JSON.stringify(value)}\n` : `${shown}\n`)
}

async function listenTo({ flags, terminal }: Call): Promise<undefined> {
  const { url: service, testmode, billhook } = requireLogin(terminal)
  const wanted = eventFilter(text(flags.events), eventNames)
  const address = text(flags['forward-to'])
  const receiver = address ? { url: receiverUrl(address), secret: signingSecret(terminal.env) } : null
  if (receiver) writeStored(terminal.env, { ...readStored(terminal.env), forwardTo: receiver.url })
  const { signal } = terminal
  const onConnection = (error: Error | null) =>
    print(
      terminal,
      { type: 'connection', isConnected: error === null },
      error
        ? paint(terminal, 'yellow', `The service does not respond. Waiting for ${service}`)
        : paint(terminal, 'green', 'The service responds again. No events were lost.'),
    )
  const after = text(flags.after)
  const feed = new EventFeed(billhook, {
    after,
    signal,
    onConnection,
    pollMs: terminal.pollMs,
  })
  if (after !== undefined) await requireEvent(() => billhook.getWebhookEvent(after), after)
  await feed.begin()
  printBeginning(terminal, { service, testmode, receiver, after: feed.position })
  let last = feed.position
  for await (const event of feed) {
    const isWanted = wanted(event.eventName)
    const result = isWanted && receiver ? await forwardShown(event, receiver, terminal) : null
    if (signal.aborted && isWanted && receiver && result === null) break
    if (isWanted) printEvent(terminal, event, result)
    last = event.id
  }
  if (!terminal.isJson && last)
    terminal.error(`\nStopped. To continue after the last event: billhook listen --after ${last}\n`)
}

const forwardShown = (event: WebhookEvent, receiver: { url: string; secret: string }, terminal: Terminal) =>
  forwardPatiently(event, receiver, {
    signal: terminal.signal,
    retryMs: terminal.pollMs,
    onWait: (reason) =>
      print(
        terminal,
        { type: 'receiver', isWaiting: true, reason },
        paint(terminal, 'yellow', `${reason} Waiting for ${receiver.url}`),
      ),
  })

interface Beginning {
  readonly service: string
  readonly testmode: boolean
  readonly receiver: { readonly url: string; readonly secret: string } | null
  readonly after: string | null
}

function printBeginning(terminal: Terminal, { service, testmode, receiver, after }: Beginning): void {
  const value = {
    type: 'ready',
    service,
    testmode,
    forwardTo: receiver?.url ?? null,
    secret: receiver?.secret ?? null,
    after,
  }
  const mode = testmode ? 'test mode' : paint(terminal, 'yellow', 'LIVE MODE')
  const lines = [
    `Listening to ${service} (${mode}). Press Ctrl-C to stop.`,
    ...(receiver
      ? [
          `Forwarding to ${paint(terminal, 'bold', receiver.url)}`,
          `Secret ${paint(terminal, 'bold', receiver.secret)} (set it as the WEBHOOK_SECRET of your receiver)`,
        ]
      : []),
    '',
  ]
  print(terminal, value, lines.join('\n'))
}

function printEvent(terminal: Terminal, event: WebhookEvent, result: Forwarded | null): void {
  const { id, eventName, entityId, createdAt } = event
  const at = new Date()
  const value = { type: 'event', at: at.toISOString(), id, eventName, entityId, createdAt, ...outcome(result) }
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
  const parts = [paint(terminal, 'dim', time), paint(terminal, 'bold', eventName.padEnd(32)), id]
  print(terminal, value, [...parts, ...(result ? [outcomeText(terminal, result)] : [])].join('  '))
}

const outcome = (result: Forwarded | null) => ({
  status: result?.status ?? null,
  durationMs: result?.durationMs ?? null,
  error: result?.error ?? null,
})

const outcomeText = (terminal: Terminal, result: Forwarded): string =>
  paint(
    terminal,
    isSuccess(result) ? 'green' : 'red',
    result.status === null ? (result.error ?? 'No response.') : `${result.status} in ${result.durationMs} ms`,
  )

async function requireEvent(read: () => PromiseLike<WebhookEvent>, id: string): Promise<WebhookEvent> {
  try {
    return await read()
  } catch (error) {
    const isUnknown = error instanceof BillhookError && (error.status === 404 || error.code === 'validation_failed')
    if (!isUnknown) throw error
    throw new CommandFailure(`There is no event ${id} in this storefront and mode.`, {
      code: 'unknown_event',
      next: 'Copy the id from the output of `billhook listen`. The id begins with webhook_event_.',
    })
  }
}

const resend = command({
  name: 'resend',
  group: 'Webhooks',
  summary: 'Forward an event again',
  args: [{ name: 'ID', help: 'the id of the event, which begins with webhook_event_' }],
  flags: { 'forward-to': { value: 'ADDRESS', help: 'the receiver (default: the receiver of the last listen)' } },
  details: ['The exit code is 1 if the receiver does not respond with 2xx.'],
  examples: ['billhook resend webhook_event_05RJ0yXwyYHaCDCEOlJxQT'],
  async run({ args: [id = ''], flags, terminal }) {
    const { billhook } = requireLogin(terminal)
    const address = text(flags['forward-to']) ?? readStored(terminal.env).forwardTo
    if (!address)
      throw wrongUsage('The address of the receiver is missing.', 'Add --forward-to localhost:4000/webhooks')
    const url = receiverUrl(address)
    const event = await requireEvent(() => billhook.getWebhookEvent(id), id)
    const { isRefused: _, ...result } = await forward(event, { url, secret: signingSecret(terminal.env) })
    if (!isSuccess(result))
      throw new CommandFailure(
        result.status === null
          ? `The receiver ${url} did not respond.`
          : `The receiver ${url} responded with ${result.status}.`,
        {
          code: 'not_delivered',
          exitCode: exitCodes.failed,
          why: result.error ?? undefined,
          next: 'Check the log of the receiver. A 400 often means that the receiver has a different secret. `billhook listen` prints the secret.',
        },
      )
    return { id, eventName: event.eventName, forwardTo: url, status: result.status, durationMs: result.durationMs }
  },
  show: ({ eventName, id, ...result }, terminal) =>
    `${eventName}  ${id}  ${outcomeText(terminal, { ...result, error: null })}\n`,
})

export const webhooksCommands = [listen, resend]
