import { createTransport } from 'nodemailer'
import { domainOf } from '../../kernel/email.ts'
import { plainLine } from '../../kernel/text.ts'
import type { Config } from '../../platform/config.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import type { Attachment } from './attachment.ts'
import type { Composed } from './rules/email.ts'

/** So that a mail server that hangs does not block the email queue any longer. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 }
const wholeTimeoutMs = 60_000
const mailServer = { kind: 'mail' } as const

/** The server did not take an email. The message contains codes only: a server's own text may repeat the address. */
export class EmailRejected extends Error {
  override readonly name = 'EmailRejected'

  constructor(
    code: string,
    answer: number | null,
    /** Permanent: the recipient or the email itself was refused for good (RFC 5321, 4.2.1). */
    readonly forGood: boolean,
  ) {
    super(`The mail server did not take the mail: ${answer === null ? code : `${code}, answered ${answer}`}.`)
  }
}

interface Outgoing extends Composed {
  readonly id: string
  readonly to: string
  readonly attachment: Attachment | null
}

/**
 * Sends one email over a connection of its own. The Message-ID is made from our id, so that a recipient can recognize a
 * duplicate. Throws `EmailRejected`.
 */
export async function send(
  { server, from }: NonNullable<Config['mail']>,
  { id, to, subject, text, html, attachment }: Outgoing,
): Promise<void> {
  const transport = transportTo(server)
  try {
    await transport.sendMail({
      from: { ...from, name: plainLine(from.name) },
      to: { name: '', address: to },
      subject: plainLine(subject),
      text,
      html,
      ...(attachment && {
        attachments: [
          { filename: attachment.name, content: Buffer.from(attachment.bytes), contentType: 'application/pdf' },
        ],
      }),
      messageId: `<${id}@${domainOf(from.address)}>`,
      // RFC 3834: suppresses automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(wholeTimeoutMs),
    })
    serviceProblems().resolve(mailServer)
  } catch (error) {
    throw rejectionOf(error)
  } finally {
    transport.close()
  }
}

/** Connects and logs in as `send` does, and sends nothing. Throws `EmailRejected`. */
export async function reachMailServer({ server }: NonNullable<Config['mail']>): Promise<void> {
  const transport = transportTo(server)
  try {
    await transport.verify()
    serviceProblems().resolve(mailServer)
  } catch (error) {
    throw rejectionOf(error)
  } finally {
    transport.close()
  }
}

const transportTo = (server: NonNullable<Config['mail']>['server']) =>
  createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password is never sent in the clear, whatever the server offers.
    ...(server.auth && { auth: server.auth, requireTLS: !server.secure }),
  })

/** Tells all processes whether it is the server that fails, or this email. */
function rejectionOf(error: unknown): EmailRejected {
  const { code, responseCode, command } = (error ?? {}) as { code?: unknown; responseCode?: unknown; command?: unknown }
  const name = typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'unknown error'
  const answer = typeof responseCode === 'number' ? responseCode : null
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
  if (isAboutThisMail) serviceProblems().resolve(mailServer)
  else serviceProblems().report(mailServer, `takes no mail (${answer ?? name})`)
  return new EmailRejected(name, answer, isAboutThisMail && answer !== null && answer >= 500 && answer <= 599)
}
