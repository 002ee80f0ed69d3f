import type { Pair, Round } from './figures.ts'
import type { Load } from './load.ts'
import type { Program } from './program.ts'

/** A route or the baseline, for as long as is asked. */
export type Target = Omit<Load, 'seconds'>

export interface PairSettings {
  readonly warmUpSeconds: number
  readonly roundSeconds: number
  readonly rounds: number
}

/**
 * Warms the route up, then measures it `rounds` times, the baseline after each, so that drift meets both.
 * @param settle waits until the program has ended the requests that the load left: slow ones would take from the baseline
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
