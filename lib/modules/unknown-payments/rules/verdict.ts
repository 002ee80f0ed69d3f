import { refundIt } from './next-step.ts'

/** The summary that `restore compare` prints below its list of unknown payments. */
export function verdictOf(listed: readonly { readonly next: string }[]): string {
  if (listed.length === 0) return 'The database lacks no live payment that was made since the time of the backup.'
  const toRefund = listed.filter(({ next }) => next.includes(refundIt)).length
  return toRefund === 0
    ? `Payments that the database lacks: ${listed.length}. None must be refunded. List them again with \`restore list\`.`
    : `Payments that the database lacks: ${listed.length}. To refund at the provider, before the service starts: ${toRefund}.`
}
