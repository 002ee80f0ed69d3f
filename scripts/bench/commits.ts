import type { Bench } from './context.ts'
import { connected } from './copies.ts'
import { compareRates, type RateComparison, type RatePair } from './figures.ts'

/**
 * Measures work `rounds` times, each time followed by a measurement of commits, so that a drift of the machine affects
 * both. Work gets its number, from 0.
 * @param perSecond measures the work
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
 * Commits one row per transaction, repeatedly, over the pool's connections, without waiting for the disk. This is the
 * limit of the processor and the driver. A disk is no stable baseline: the same disk can be twice as fast an hour
 * later.
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
