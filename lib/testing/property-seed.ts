import fc from 'fast-check'

/** Sets a fixed seed, so that one commit always gives the same result. `FC_SEED=7 FC_RUNS=5000 npm run test:unit` uses another seed and number of runs. */
const { FC_SEED, FC_RUNS } = process.env
fc.configureGlobal({ seed: Number(FC_SEED ?? 20_261_120), ...(FC_RUNS && { numRuns: Number(FC_RUNS) }) })
