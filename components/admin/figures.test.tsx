import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { amount } from '@/lib/kernel/money.ts'
import type { HomeFigures } from '@/lib/modules/figures/page.ts'
import { partsOf, type Range, ranges } from '@/lib/modules/figures/rules/range.ts'
import { Figures } from './figures.tsx'

const eur = (minor: number) => amount(BigInt(minor), 'EUR')

function figuresOf(range: Range, differences: Partial<HomeFigures> = {}): HomeFigures {
  const periods = partsOf(range, '2027-03-31').map((part, index) => ({
    ...part,
    netRevenue: eur(index === 3 ? -4000 : 12_000 + 700 * index),
    mrr: eur(100_000 + 4000 * index - (index % 5) * 900),
    new: eur(3000 + 200 * (index % 7)),
    expansion: eur(index % 3 === 0 ? 1500 : 0),
    reactivation: eur(index % 4 === 0 ? 1000 : 0),
    contraction: eur(index % 5 === 0 ? 700 : 0),
    churn: eur(index % 6 === 0 ? 1000 : 0),
  }))
  const course = periods.map((_, index) => 100 + index)
  const choice = <Name extends string>(name: Name, isCurrent: boolean) => ({ name, url: `/admin?${name}`, isCurrent })
  return {
    range,
    ranges: ranges.map((each) => choice(each, each === range)),
    currency: 'EUR',
    currencies: [choice('EUR', true), choice('GBP', false)],
    completeUntil: null,
    netRevenue: { value: eur(386_000), change: 12, course },
    mrr: { value: eur(216_000), change: 4, course },
    subscribers: { value: 43, change: -3, course },
    churn: { value: 0.0234, change: null, course },
    periods,
    plans: [{ name: 'Pro', url: '/admin/test/s/catalog/p', mrr: eur(120_000) }],
    countries: [
      { country: 'DE', netRevenue: eur(90_000) },
      { country: '', netRevenue: eur(-1000) },
    ],
    cancellations: [{ reason: 'too_expensive', count: 2 }],
    ...differences,
  }
}

const html = (figures: HomeFigures) => renderToStaticMarkup(<Figures balances={[eur(5000)]} figures={figures} />)

describe('the figures of the home page', () => {
  it.each(ranges)(
    'the home-page figures for the range %s have one table row per period, stay below 30 kB, and mark only this range as current',
    (range) => {
      const page = html(figuresOf(range))
      const label = { '30d': '30 days', '90d': '90 days', '12m': '12 months' }[range]
      const current = [...page.matchAll(/<a aria-current="true"[^>]*>([^<]*)</g)].map(([, text]) => text)
      expect(current).toEqual([label, 'EUR'])
      expect(page.match(/<tr>/g)).toHaveLength(figuresOf(range).periods.length + 1)
      expect(page).toContain('+12% compared with')
      expect(page).toContain('−3% compared with')
      expect(page).toContain('€2,160.00')
      expect(Buffer.byteLength(page)).toBeLessThan(30_000)
    },
  )

  it('the admin home page lists the plans, the countries, and the reasons for cancellations', () => {
    const page = html(figuresOf('12m'))
    for (const text of ['Pro', 'Germany', 'Unknown country', 'It costs too much', '2.3%']) expect(page).toContain(text)
  })

  it('each list and chart of the admin home page without data says that there is no data', () => {
    const nothing = eur(0)
    const periods = figuresOf('30d').periods.map(({ from, to }) => ({
      from,
      to,
      netRevenue: nothing,
      mrr: nothing,
      new: nothing,
      expansion: nothing,
      reactivation: nothing,
      contraction: nothing,
      churn: nothing,
    }))
    const page = html(figuresOf('30d', { periods, plans: [], countries: [], cancellations: [] }))
    for (const text of ['No plan has', 'Nothing was sold in', 'No subscription ended', 'No subscription changed'])
      expect(page).toContain(text)
    expect(page).not.toContain('<path')
  })

  it('the admin home page of a storefront with one currency has no links to other currencies', () => {
    expect(html(figuresOf('30d', { currencies: [] }))).not.toContain('>GBP<')
    expect(html(figuresOf('30d'))).toContain('>GBP<')
  })

  it('the admin home page states the last complete day if the figures end before the current day', () => {
    expect(html(figuresOf('30d', { completeUntil: '2027-03-20' }))).toContain('complete up to 20')
  })
})
