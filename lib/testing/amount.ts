/**
 * How often a test of faults tries: `npm test` takes the short form, which finds what fails more than now and then;
 * `npm run test:faults` the long one.
 */
export const amount = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  process.env.TEST_FAULTS === 'long' ? long : short
