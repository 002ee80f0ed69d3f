import type { NextStep, Step } from './next-step.ts'

/** The summary that `restore compare` prints below its list of unknown payments. */
export function verdictOf(listed: readonly Pick<NextStep, 'step'>[]): string {
  if (listed.length === 0) return 'The database has every live payment that was made since the time of the backup.'
  const count = (of: Step) => listed.filter(({ step }) => step === of).length
  const [toRefund, toCheck] = [count('refund'), count('depends')]
  return [
    `Payments that the database lacks: ${listed.length}.`,
    ...(toRefund > 0 ? [`To refund at the provider, before the service starts: ${toRefund}.`] : []),
    ...(toCheck > 0 ? [`To check after the charge is due: ${toCheck}.`] : []),
    ...(toRefund + toCheck === 0 ? ['No payment needs a refund.'] : []),
    ...(toRefund === 0 ? ['List them again with `restore list`.'] : []),
  ].join(' ')
}
