import type { z } from 'zod'
import { list, mailRecipient, mailSender, mailServer, parsed, secret } from './config-values.ts'

export const mailVariables = {
  SMTP_URL: parsed(mailServer, 'must be an SMTP address, such as smtps://user:password@mail.example.com')
    .optional()
    .describe(
      'The mail server for emails to buyers and members. Without a server, emails are only stored ' +
        '(`email list`). Addresses such as `jürgen@example.com` need a server with SMTPUTF8.',
    ),
  MAIL_FROM: parsed(mailSender, 'must be an e-mail address, alone or after a name, such as Lumen <billing@example.com>')
    .optional()
    .describe('The sender of these emails. Required with `SMTP_URL`.'),
  TEST_MAIL_TO: list(
    parsed(
      mailRecipient,
      'must be e-mail addresses and domains, comma separated, such as dev@example.com, example.org',
    ),
  )
    .default([])
    .describe(
      'Addresses and domains, comma-separated, to which emails of test mode may be sent. A domain ' +
        'does not include its subdomains. All other emails of test mode are stored and shown, but not ' +
        'sent.',
    ),
  EMAIL_NOTICES_SECRET: secret
    .optional()
    .describe(
      'At least 32 characters. Opens `POST /api/emails/notices` for bounces and complaints of a mail provider.',
    ),
}

type Values = z.output<z.ZodObject<typeof mailVariables>>

export const mailOf = ({ SMTP_URL, MAIL_FROM, TEST_MAIL_TO, EMAIL_NOTICES_SECRET }: Values) => ({
  /** Null if emails are only stored. */
  mail: SMTP_URL && MAIL_FROM ? { server: SMTP_URL, from: MAIL_FROM } : null,
  /** Addresses, and domains (without `@`), in canonical form: emails of test mode go nowhere else. */
  testMailTo: TEST_MAIL_TO,
  /** Signs the notices of bounces and complaints; null: none are taken. */
  emailNoticesSecret: EMAIL_NOTICES_SECRET ?? null,
})
