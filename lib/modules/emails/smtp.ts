import { promisify } from 'node:util'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { domainOf } from '../../kernel/email.ts'
import { lookUp } from '../../kernel/look-up.ts'
import { plainLine } from '../../kernel/text.ts'
import type { Config } from '../../platform/config.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import type { Attachment } from './attachment.ts'
import type { Composed } from './rules/email.ts'

/** The limits in milliseconds ensure that a mail server that does not respond cannot block the email queue. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 }
const wholeTimeoutMs = 60_000
const mailServer = { kind: 'mail' } as const

/** The error text has only codes, because the server's text can contain the recipient's address. */
export class EmailRejected extends Error {
  override readonly name = 'EmailRejected'

  constructor(
    /** The behavior of the mail server, such as `refuses the connection`. */
    readonly problem: string,
    code: string,
    answer: number | null,
    /** Whether the server refused the recipient or the email permanently (RFC 5321, 4.2.1). */
    readonly forGood: boolean,
  ) {
    super(`The mail server did not accept the email: ${answer === null ? code : `${code}, answered ${answer}`}.`)
  }
}

/** Thrown if the server does not offer SMTPUTF8 (RFC 6531), which the address needs. */
export class AddressUnsupported extends Error {
  override readonly name = 'AddressUnsupported'
}

interface Outgoing extends Composed {
  readonly id: string
  readonly to: string
  /**
   * Null if the email has no Reply-To. `send` omits a `replyTo` with a non-ASCII local part, because only an address in the envelope can request SMTPUTF8.
   */
  readonly replyTo: string | null
  readonly attachment: Attachment | null
}

type Settings = NonNullable<Config['mail']>

/**
 * The Message-ID contains our id, so that mail programs can recognize a duplicate. Throws `AddressUnsupported` before
 * the server gets an address that it does not support. Throws `EmailRejected` for any other failure.
 */
export async function send(settings: Settings, email: Outgoing): Promise<void> {
  await overConnection(settings, async (connection, takesUtf8) => {
    if (!takesUtf8 && needsUtf8(email.to)) throw new AddressUnsupported()
    const message = messageOf(settings.from, email)
    const deliver = promisify(connection.send.bind(connection))
    await deliver(message.getEnvelope(), message.createReadStream())
  })
}

const messageOf = (
  from: Settings['from'],
  { id, to, replyTo, subject, text, html, attachment }: Outgoing,
): ReturnType<MailComposer['compile']> =>
  new MailComposer({
    from: { ...from, name: plainLine(from.name) },
    to: { name: '', address: to },
    ...(replyTo !== null && !needsUtf8(replyTo) && { replyTo: { name: '', address: replyTo } }),
    subject: plainLine(subject),
    text,
    html,
    ...(attachment && {
      attachments: [
        { filename: attachment.name, content: Buffer.from(attachment.bytes), contentType: 'application/pdf' },
      ],
    }),
    messageId: `<${id}@${domainOf(from.address)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()

export const reachMailServer = (settings: Settings): Promise<void> => overConnection(settings, async () => undefined)

/** The domain of a canonical address is always an A-label, so only the local part can have non-ASCII letters. */
const needsUtf8 = (address: string): boolean => /[^\p{ASCII}]/u.test(address)

async function overConnection(
  { server, from }: Settings,
  use: (connection: SMTPConnection, takesUtf8: boolean) => Promise<void>,
): Promise<void> {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    ...timeouts,
    // A password is never sent unencrypted, even if the server offers no TLS.
    requireTLS: server.auth !== null && !server.secure,
  })
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    timer = setTimeout(() => reject(failureWith('ETIMEDOUT')), wholeTimeoutMs)
  })
  const work = async () => {
    await promisify(connection.connect.bind(connection))()
    const takesUtf8 = offersUtf8(connection.lastServerResponse || '')
    if (server.auth && connection.allowsAuth) await promisify(connection.login.bind(connection))({ ...server.auth })
    if (!takesUtf8 && needsUtf8(from.address)) throw failureWith('MAIL_FROM_NEEDS_SMTPUTF8')
    await use(connection, takesUtf8)
  }
  try {
    await Promise.race([work(), failure])
    serviceProblems().resolve(mailServer)
  } catch (error) {
    throw rejectionOf(error)
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

const failureWith = (code: string) => Object.assign(new Error(code), { code })

/** The first line of an EHLO response is the server's name, so it is skipped (RFC 6531, section 3.1). */
const offersUtf8 = (answer: string): boolean =>
  answer
    .split(/\r?\n/)
    .slice(1)
    .some((line) => /^250[ -]SMTPUTF8(?:\s|$)/i.test(line))

/**
 * Converts an error of a connection to the mail server. An error about this email or its recipient shows that the
 * server works, so an earlier reported problem is resolved. Any other error is reported as a problem of the mail
 * server.
 */
function rejectionOf(error: unknown): EmailRejected | AddressUnsupported {
  const { code, responseCode, command } = (error ?? {}) as { code?: unknown; responseCode?: unknown; command?: unknown }
  const name = typeof code === 'string' && /^[A-Z_\d]{1,40}$/.test(code) ? code : 'unknown error'
  const answer = typeof responseCode === 'number' ? responseCode : null
  const isUnsupported = error instanceof AddressUnsupported
  const isAboutThisMail = isUnsupported || command === 'RCPT TO' || command === 'DATA'
  const problem = problemWith(error, answer ?? name)
  if (isAboutThisMail) serviceProblems().resolve(mailServer)
  else serviceProblems().report(mailServer, problem)
  if (isUnsupported) return error
  return new EmailRejected(problem, name, answer, isAboutThisMail && answer !== null && answer >= 500 && answer <= 599)
}

/** Problems by error code of nodemailer or Node.js. `ESOCKET` is absent, because the network code of the same error is more precise. */
const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'breaks the connection',
  ETIMEDOUT: 'does not answer',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EDNS: 'has an unknown host name',
  ETLS: 'offers no encryption',
  EAUTH: 'refuses the user name or the password',
}

function problemWith(error: unknown, reason: number | string): string {
  const { originalCode, code } = (error ?? {}) as { originalCode?: unknown; code?: unknown }
  const known = [code, originalCode].map((each) => lookUp(problems, String(each))).find((each) => each !== undefined)
  return known ?? `takes no mail (${reason})`
}
