/**
 * Whether the long form of the fault tests runs (`npm run test:faults`). `npm test` runs the short form, which finds
 * only frequent faults.
 */
export const isLongForm = process.env.TEST_FAULTS === 'long'

export const amount = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  isLongForm ? long : short
