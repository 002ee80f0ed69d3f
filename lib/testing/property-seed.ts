import fc from 'fast-check'

/**
 * Where properties begin to look for counterexamples: always at the same place, so that the tests give the same result
 * for the same commit. `FC_SEED=7 FC_RUNS=5000 npm run test:unit` looks elsewhere, and for longer.
 */
const { FC_SEED, FC_RUNS } = process.env
fc.configureGlobal({ seed: Number(FC_SEED ?? 20_261_120), ...(FC_RUNS && { numRuns: Number(FC_RUNS) }) })
