/** The short form (`npm test`) finds faults that fail often. `npm run test:faults` runs the long form. */
export const isLongForm = process.env.TEST_FAULTS === 'long'

export const amount = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  isLongForm ? long : short
