import type { Pair, Round } from './figures.ts'
import type { Load } from './load.ts'
import type { Program } from './program.ts'

export type Target = Omit<Load, 'seconds'>

export interface PairSettings {
  readonly warmUpSeconds: number
  readonly roundSeconds: number
  readonly rounds: number
}

/**
 * Warms up the route, then measures it `rounds` times. Measures the baseline after each round, so a change of
 * the machine's speed affects the route and the baseline.
 * @param settle waits until the program has finished all requests of the load, because unfinished requests would slow
 * down the baseline
 */
export async function measurePairs(
  loader: Program<Load, Round>,
  route: Target,
  baseline: Target,
  { warmUpSeconds, roundSeconds: seconds, rounds }: PairSettings,
  settle: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Pair[]> {
  await loader.ask({ ...route, seconds: warmUpSeconds })
  const pairs: Pair[] = []
  while (pairs.length < rounds) {
    const measured = await loader.ask({ ...route, seconds })
    await settle()
    pairs.push({ route: measured, baseline: await loader.ask({ ...baseline, seconds }) })
  }
  return pairs
}
