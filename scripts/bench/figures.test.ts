import { describe, expect, it } from 'vitest'
import { compare, compareRates, delays, median, medianRound, percentile, roundOf } from './figures.ts'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  it.each([
    [0, 1],
    [1, 1],
    [50, 50],
    [50.5, 51],
    [99, 99],
    [99.9, 100],
    [100, 100],
  ])('percentile %d of the numbers from 1 to 100 is %d', (percent, expected) => {
    expect(percentile(hundred, percent)).toBe(expected)
  })

  it('percentile() sorts numerically', () => {
    expect(percentile([9, 10, 100, 1], 50)).toBe(9)
  })

  it('percentile() of a single value is that value', () => {
    expect([percentile([7], 1), percentile([7], 50), percentile([7], 99)]).toEqual([7, 7, 7])
  })

  it('two outliers among 200 values affect only percentiles above p99', () => {
    const values = [...Array.from({ length: 198 }, () => 1), 500, 600]
    expect([percentile(values, 99), percentile(values, 99.5), percentile(values, 100)]).toEqual([1, 500, 600])
  })

  it('percentile() does not change its input, and throws without values', () => {
    const values = [3, 1, 2]
    percentile(values, 50)
    expect(values).toEqual([3, 1, 2])
    expect(() => percentile([], 50)).toThrow('no values')
  })
})

describe('median', () => {
  it.each([
    [[5], 5],
    [[10, 9], 9.5],
    [[100, 9, 10], 10],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it('median() throws without values', () => {
    expect(() => median([])).toThrow('no values')
  })
})

describe('roundOf', () => {
  it('roundOf computes the rate from the duration, and latencies as percentiles', () => {
    expect(roundOf([4, 2, 1, 3], 0.5)).toEqual({ perSecond: 8, p50: 2, p99: 4 })
  })
})

const round = (perSecond: number, p50: number, p99: number) => ({ perSecond, p50, p99 })

describe('compare', () => {
  it('compare() divides each round by its own baseline, so a machine at half speed changes no ratio', () => {
    const fast = { route: round(1000, 10, 20), baseline: round(4000, 4, 8) }
    const slow = { route: round(500, 20, 40), baseline: round(2000, 8, 16) }
    expect(compare([fast, slow, slow])).toEqual({
      ...round(500, 20, 40),
      baselinePerSecond: 2000,
      ratio: 0.25,
      lowestRatio: 0.25,
      highestRatio: 0.25,
    })
  })

  it('compare() returns the median ratio, and the lowest and highest ratio', () => {
    const pairs = [300, 100, 200].map((rate) => ({ route: round(rate, 1, 1), baseline: round(1000, 1, 1) }))
    expect(compare(pairs)).toMatchObject({ perSecond: 200, ratio: 0.2, lowestRatio: 0.1, highestRatio: 0.3 })
  })
})

it('medianRound() takes the median of each figure separately', () => {
  expect(medianRound([round(1, 9, 50), round(3, 7, 30), round(2, 8, 70)])).toEqual(round(2, 8, 50))
})

describe('delays', () => {
  it('delays() measures from the commit of an event to its arrival', () => {
    const arrived = new Map([
      ['b', 130.5],
      ['a', 107],
    ])
    expect(
      delays(
        arrived,
        new Map([
          ['a', 100],
          ['b', 110],
          ['never sent', 1],
        ]),
      ),
    ).toEqual([20.5, 7])
  })

  it('delays() throws for an event without a known commit', () => {
    expect(() => delays(new Map([['x', 1]]), new Map())).toThrow('x arrived and was not committed')
  })
})

describe('compareRates', () => {
  it('compareRates divides each rate by the commit rate of the same measurement, and takes medians', () => {
    const pairs = [
      { perSecond: 500, commitsPerSecond: 10_000 },
      { perSecond: 900, commitsPerSecond: 9_000 },
      { perSecond: 600, commitsPerSecond: 4_000 },
    ]
    expect(compareRates(pairs)).toEqual({
      perSecond: 600,
      commitsPerSecond: 9_000,
      ratio: 0.1,
      lowestRatio: 0.05,
      highestRatio: 0.15,
    })
  })
})
