import type { EmailStatus } from './email.ts'

interface SentEmail {
  readonly status: EmailStatus
  readonly testmode: boolean
  readonly bouncedAt?: Date | null
  readonly isBouncedForGood?: boolean
  readonly complainedAt?: Date | null
}

export type EmailOutcome = EmailStatus | 'kept_test' | 'bounced' | 'bounced_for_good' | 'complained'

/** The messages of the admin area have a translation of each sentence under the same key. */
const sentences: Readonly<Record<EmailOutcome, string>> = {
  complained: 'The recipient reported the email as spam.',
  bounced_for_good: 'The email bounced permanently: the mailbox does not accept it.',
  bounced: 'The email bounced temporarily.',
  queued: 'The email waits to be sent.',
  sent: 'The mail server accepted the email.',
  refused: 'The mail server rejected the email permanently.',
  suppressed: 'Not sent: an earlier email to this address bounced permanently or caused a complaint.',
  unsupported:
    'Not sent: the mail server does not support letters outside ASCII before the @ (SMTPUTF8). Ask ' +
    'the recipient for another address, or use a mail server that offers SMTPUTF8 and send the ' +
    'email again.',
  unreadable:
    'Not sent: the email cannot be decrypted, because the key that encrypted it is not configured. Add the key to ' +
    'SECRET_KEY_PREVIOUS and send the email again. Without the key, the email stays unreadable.',
  kept_test: 'Stored only: emails of test mode are sent only to TEST_MAIL_TO.',
  kept: 'Stored only: no mail server was configured (SMTP_URL).',
}

export function outcomeOf({ status, testmode, bouncedAt, isBouncedForGood, complainedAt }: SentEmail): EmailOutcome {
  if (complainedAt) return 'complained'
  if (bouncedAt) return isBouncedForGood ? 'bounced_for_good' : 'bounced'
  return status === 'kept' && testmode ? 'kept_test' : status
}

export const outcomeText = (email: SentEmail): string => sentences[outcomeOf(email)]
