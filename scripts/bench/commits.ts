import type { Bench } from './context.ts'
import { connected } from './copies.ts'
import { compareRates, type RateComparison, type RatePair } from './figures.ts'

/**
 * Measures work in several rounds. A measurement of commits follows each round, so a change of the machine's speed
 * affects both measurements.
 * @param perSecond measures the work; it receives the number of the round, from 0
 */
export async function besideCommits(
  bench: Bench,
  { rounds, seconds }: { rounds: number; seconds: number },
  perSecond: (round: number) => Promise<number>,
): Promise<RateComparison> {
  const pairs: RatePair[] = []
  while (pairs.length < rounds) {
    const measured = await perSecond(pairs.length)
    pairs.push({ perSecond: measured, commitsPerSecond: await commitsPerSecond(bench, seconds) })
  }
  return compareRates(pairs)
}

/**
 * Commits one row per transaction without waiting for the disk, so the rate depends on the processor and the driver. The speed of a disk can double within an
 * hour, so a measurement that includes the disk is no stable baseline.
 */
async function commitsPerSecond({ installation, pool }: Bench, seconds: number): Promise<number> {
  const { databaseUrl } = installation
  return connected(databaseUrl, async (client) => {
    await client.query('CREATE TABLE bench_commits (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())')
    const until = performance.now() + seconds * 1000
    const worker = () =>
      connected(databaseUrl, async (own) => {
        await own.query('SET synchronous_commit = off')
        let count = 0
        for (; performance.now() < until; count++) await own.query('INSERT INTO bench_commits DEFAULT VALUES')
        return count
      })
    const counts = await Promise.all(Array.from({ length: pool }, worker))
    await client.query('DROP TABLE bench_commits')
    return counts.reduce((all, count) => all + count, 0) / seconds
  })
}
