/** This file contains pure functions that compute figures. Times are in milliseconds. */

export interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** A route and its baseline, measured directly one after the other. */
export interface Pair {
  readonly route: Round
  readonly baseline: Round
}

export interface Comparison extends Round, Ratios {
  readonly baselinePerSecond: number
}

interface Ratios {
  /**
   * The median of rate ÷ baseline rate. A slow machine affects both rates, so the ratio hardly depends on the machine.
   */
  readonly ratio: number
  readonly lowestRatio: number
  readonly highestRatio: number
}

/** Rates per second of the service's work and of single-row commits, measured directly one after the other. */
export interface RatePair {
  readonly perSecond: number
  readonly commitsPerSecond: number
}

export interface RateComparison extends RatePair, Ratios {}

/** Returns the nearest rank: the smallest value for which at least `percent` % of the values are smaller or equal. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('no values have no percentile')
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  if (low === undefined || high === undefined) throw new Error('no values have no median')
  return (low + high) / 2
}

export function roundOf(latencies: readonly number[], seconds: number): Round {
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
  }
}

export function compare(pairs: readonly Pair[]): Comparison {
  const ratios = pairs.map(({ route, baseline }) => route.perSecond / baseline.perSecond)
  return {
    ...medianRound(pairs.map(({ route }) => route)),
    baselinePerSecond: median(pairs.map(({ baseline }) => baseline.perSecond)),
    ...summaryOf(ratios),
  }
}

export function compareRates(pairs: readonly RatePair[]): RateComparison {
  const ratios = pairs.map(({ perSecond, commitsPerSecond }) => perSecond / commitsPerSecond)
  return {
    perSecond: median(pairs.map(({ perSecond }) => perSecond)),
    commitsPerSecond: median(pairs.map(({ commitsPerSecond }) => commitsPerSecond)),
    ...summaryOf(ratios),
  }
}

const summaryOf = (ratios: readonly number[]): Ratios => ({
  ratio: median(ratios),
  lowestRatio: Math.min(...ratios),
  highestRatio: Math.max(...ratios),
})

export function medianRound(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
  }
}

/** Milliseconds from the commit of each event to its arrival. Throws if a commit is unknown. */
export function delays(arrived: ReadonlyMap<string, number>, committed: ReadonlyMap<string, number>): number[] {
  return [...arrived].map(([eventId, at]) => {
    const since = committed.get(eventId)
    if (since === undefined) throw new Error(`${eventId} arrived and was not committed`)
    return at - since
  })
}
