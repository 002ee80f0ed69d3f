import { domainOf } from '../../../kernel/email.ts'

/**
 * Whether an email may be sent to a mail server. In live mode any email may. In test mode, where anyone with a key
 * chooses text and recipient, only an email to an address or to exactly a domain that the operator listed. All in
 * canonical form.
 */
export const mayBeSent = (
  to: string,
  { testmode, testMailTo }: { testmode: boolean; testMailTo: readonly string[] },
): boolean => !testmode || testMailTo.includes(to) || testMailTo.includes(domainOf(to))
