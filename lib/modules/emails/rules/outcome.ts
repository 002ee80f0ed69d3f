import type { EmailStatus } from './email.ts'

/** The outcome of an email, in a sentence for operators. */
export function outcomeOf({ status, testmode }: { status: EmailStatus; testmode: boolean }): string {
  if (status === 'queued') return 'Waits for the mail server.'
  if (status === 'sent') return 'The mail server took it.'
  if (status === 'refused') return 'The mail server refused it for good.'
  return testmode
    ? 'Kept to be read here: mails of test mode leave only to TEST_MAIL_TO.'
    : 'Kept to be read here: no mail server was set (SMTP_URL).'
}
