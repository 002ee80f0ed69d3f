/**
 * Fault tests have a short form (`npm test`), which finds faults that fail often, and a long form (`npm run
 * test:faults`).
 */
export const isLongForm = process.env.TEST_FAULTS === 'long'

/** The number of attempts of a fault test, by its form. */
export const amount = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  isLongForm ? long : short
