import { domainOf } from '../../../kernel/email.ts'

/**
 * Whether a mail may go to a mail server. In live mode any may; in test mode, where any holder of a key writes its text and
 * chooses its reader, only one to an address or to exactly a domain that the operator named. All in canonical form.
 */
export const mayBeSent = (
  to: string,
  { testmode, testMailTo }: { testmode: boolean; testMailTo: readonly string[] },
): boolean => !testmode || testMailTo.includes(to) || testMailTo.includes(domainOf(to))
