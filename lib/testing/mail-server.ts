import { createServer, type Socket } from 'node:net'
import { expect } from 'vitest'

type Step = 'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'message'

interface Taken {
  readonly recipients: readonly string[]
  readonly raw: string
  readonly messageId: string
}

/** A mail server on a free local port, with the part of RFC 5321 that one email needs. */
export async function aMailServer() {
  const state = {
    /** The responses that replace the success response, by step of the SMTP dialog. Null closes the connection. */
    answers: {} as Partial<Record<Step, string | null>>,
    extensions: [] as readonly string[],
    /** All complete messages, including messages that the server refused. */
    taken: [] as Taken[],
    connections: 0,
    commands: [] as string[],
    forget(): void {
      Object.assign(state, { answers: {}, extensions: [], taken: [], connections: 0, commands: [] })
    },
  }
  const server = createServer((socket) => converse(socket, state))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return Object.assign(state, {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

function converse(
  socket: Socket,
  state: Omit<Awaited<ReturnType<typeof aMailServer>>, 'port' | 'url' | 'close'>,
): void {
  state.connections++
  let recipients: string[] = []
  let buffer = ''
  let inMessage = false
  const say = (step: Step | null, yes: string) => {
    const planned = step === null ? undefined : state.answers[step]
    const answer = planned === undefined ? yes : planned
    if (answer === null) socket.destroy()
    else socket.write(`${answer}\r\n`)
    return answer === yes
  }
  const receive = (line: string) => {
    state.commands.push(line)
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO')
      say(
        null,
        ['250-mail.example', ...state.extensions.map((name) => `250-${name}`), '250 AUTH PLAIN LOGIN'].join('\r\n'),
      )
    else if (verb === 'MAIL') say('MAIL', '250 OK')
    else if (verb === 'RCPT') {
      if (say('RCPT', '250 OK')) recipients.push(line)
    } else if (verb === 'DATA') inMessage = say('DATA', '354 Go on')
    else if (verb === 'STAR') say(null, '454 No TLS here')
    else if (verb === 'QUIT') socket.end('221 Bye\r\n')
    else say(null, '250 OK')
  }
  socket.on('error', (error: NodeJS.ErrnoException) => expect(error.code).toMatch(/ECONNRESET|EPIPE/))
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1')
    for (;;) {
      const mark = inMessage ? '\r\n.\r\n' : '\r\n'
      const end = buffer.indexOf(mark)
      if (end === -1) return
      const read = buffer.slice(0, end)
      buffer = buffer.slice(end + mark.length)
      if (!inMessage) receive(read)
      else {
        inMessage = false
        state.taken.push({ recipients, raw: read, messageId: /^Message-ID: (.*)$/im.exec(read)?.[1]?.trim() ?? '' })
        recipients = []
        say('message', '250 Taken')
      }
    }
  })
  say('greeting', '220 mail.example ESMTP')
}

export const decodedPart = (raw: string): string =>
  Buffer.from(
    raw
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
