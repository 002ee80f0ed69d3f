import { createTransport } from 'nodemailer'
import { domainOf } from '../../kernel/email.ts'
import { plainLine } from '../../kernel/text.ts'
import type { Config } from '../../platform/config.ts'
import type { Email } from './store.ts'

/** A mail server that hangs holds a place of the mails' queue no longer. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 }
const wholeTimeoutMs = 60_000

/** The server did not take a mail. The sentence names codes only: what a server says may repeat the address. */
export class EmailRejected extends Error {
  override readonly name = 'NotTaken'

  constructor(
    code: string,
    answer: number | null,
    /** It never will: the recipient or the mail itself was refused for good (RFC 5321, 4.2.1). */
    readonly forGood: boolean,
  ) {
    super(`The mail server did not take the mail: ${answer === null ? code : `${code}, answered ${answer}`}.`)
  }
}

/**
 * Hands one mail to the server over a connection of its own. The Message-ID is made from our id, so that who gets the
 * mail twice can know it. Throws NotTaken.
 */
export async function send(
  { server, from }: NonNullable<Config['mail']>,
  { id, to, subject, text, html }: Email & { readonly id: string },
): Promise<void> {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password is never sent in the clear, whatever the server offers.
    ...(server.auth && { auth: server.auth, requireTLS: !server.secure }),
  })
  try {
    await transport.sendMail({
      from: { ...from, name: plainLine(from.name) },
      to: { name: '', address: to },
      subject: plainLine(subject),
      text,
      html,
      messageId: `<${id}@${domainOf(from.address)}>`,
      // RFC 3834: no absent person's program answers.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(wholeTimeoutMs),
    })
  } catch (error) {
    throw rejectionOf(error)
  } finally {
    transport.close()
  }
}

function rejectionOf(error: unknown): EmailRejected {
  const { code, responseCode, command } = (error ?? {}) as { code?: unknown; responseCode?: unknown; command?: unknown }
  const name = typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'unknown error'
  const answer = typeof responseCode === 'number' ? responseCode : null
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
  return new EmailRejected(name, answer, isAboutThisMail && answer !== null && answer >= 500 && answer <= 599)
}
