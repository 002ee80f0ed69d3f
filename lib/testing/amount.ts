/**
 * The tests of faults have two forms: `npm test` takes the short one, which finds what fails more than now and then;
 * `npm run test:faults` the long one.
 */
export const isLongForm = process.env.TEST_FAULTS === 'long'

/** How often a test of faults tries. */
export const amount = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  isLongForm ? long : short
