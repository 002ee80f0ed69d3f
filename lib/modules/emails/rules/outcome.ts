import type { EmailStatus } from './email.ts'

interface SentEmail {
  readonly status: EmailStatus
  readonly testmode: boolean
  readonly bouncedAt?: Date | null
  readonly isBouncedForGood?: boolean
  readonly complainedAt?: Date | null
}

export function outcomeOf({ status, testmode, bouncedAt, isBouncedForGood, complainedAt }: SentEmail): string {
  if (complainedAt) return 'Its reader reported it as unwanted.'
  if (bouncedAt)
    return isBouncedForGood ? 'It came back for good: the mailbox does not take it.' : 'It came back for now.'
  if (status === 'queued') return 'Waits for the mail server.'
  if (status === 'sent') return 'The mail server took it.'
  if (status === 'refused') return 'The mail server refused it for good.'
  if (status === 'suppressed')
    return 'Not sent: an earlier email to this address came back for good, or was complained about.'
  if (status === 'unsupported')
    return (
      'Not sent: the mail server does not support letters outside ASCII before the @ (SMTPUTF8). ' +
      'Ask for another address, or use a mail server that offers SMTPUTF8 and send the email again.'
    )
  return testmode
    ? 'Kept to be read here: emails of test mode leave only to TEST_MAIL_TO.'
    : 'Kept to be read here: no mail server was set (SMTP_URL).'
}
