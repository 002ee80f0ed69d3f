import type { z } from 'zod'
import { list, mailRecipient, mailSender, mailServer, parsed, secret } from './config-values.ts'

export const mailVariables = {
  SMTP_URL: parsed(mailServer, 'must be an SMTP address, such as smtps://user:password@mail.example.com')
    .optional()
    .describe(
      'The mail server for emails to buyers and members. Without a server, emails are only stored ' +
        '(`email list`). Addresses such as `jürgen@example.com` need a server with SMTPUTF8.',
    ),
  MAIL_FROM: parsed(mailSender, 'must be an email address, alone or after a name, such as Lumen <billing@example.com>')
    .optional()
    .describe('The sender of emails to buyers and members. Required with `SMTP_URL`.'),
  TEST_MAIL_TO: list(
    parsed(mailRecipient, 'must be email addresses and domains, comma-separated, such as dev@example.com, example.org'),
  )
    .default([])
    .describe(
      'Addresses and domains, comma-separated, to which the service sends emails of test mode. A domain does not include its subdomains. All other emails of test mode are stored, but not sent.',
    ),
  EMAIL_NOTICES_SECRET: secret
    .optional()
    .describe(
      'The secret that signs the notices of a mail provider about bounces and complaints. At least 32 characters. Without this secret, `POST /api/emails/notices` responds with 404.',
    ),
}

type Values = z.output<z.ZodObject<typeof mailVariables>>

export const mailOf = ({ SMTP_URL, MAIL_FROM, TEST_MAIL_TO, EMAIL_NOTICES_SECRET }: Values) => ({
  /** `mail` is null if emails are only stored, and not sent. */
  mail: SMTP_URL && MAIL_FROM ? { server: SMTP_URL, from: MAIL_FROM } : null,
  /** Test mode sends email only to these addresses and domains. Domains have no `@`. */
  testMailTo: TEST_MAIL_TO,
  /** The secret that signs notices of bounces and complaints. Without it, all notices are refused. */
  emailNoticesSecret: EMAIL_NOTICES_SECRET ?? null,
})
