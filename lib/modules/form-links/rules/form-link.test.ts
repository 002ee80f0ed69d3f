import { describe, expect, it } from 'vitest'
import { endOfTime } from '../../../kernel/moment.ts'
import {
  draftVersion,
  type FormDraft,
  isRepetition,
  isUsable,
  oneDay,
  refusedDraft,
  renewedLifetime,
  savedDraft,
} from './form-link.ts'

const now = new Date('2027-03-27T12:00:00Z')

describe('lifetime', () => {
  it.each([
    [oneDay, '2027-03-28T11:59:59Z', '2027-03-28T12:00:00Z'],
    [{ days: 8 }, '2027-04-04T11:59:59Z', '2027-04-04T12:00:00Z'],
  ])('a link with a lifetime of %j is usable until %s', (lifetime, last, over) => {
    const life = renewedLifetime(lifetime, now)
    expect(life).toEqual({ draft: null, createdAt: now, expiresAt: new Date(over) })
    expect([now, last, over].map((moment) => isUsable(life, new Date(moment)))).toEqual([true, true, false])
  })

  it('a link expires immediately if it is created at the last representable time', () => {
    expect(isUsable(renewedLifetime(oneDay, endOfTime), endOfTime)).toBe(false)
  })
})

describe('draft', () => {
  const form = { city: 'Bonn', country: 'DE' }
  const problems = { country: { code: 'unknown' } } as const
  const saved = savedDraft(null, form, 'done')

  it('a saved form increases the counter `saves` of the draft, and a refused form does not', () => {
    expect(draftVersion(null)).toBe('0')
    expect(saved).toEqual({ form, problems: {}, saves: 1, saved: 'done' })
    const refused = refusedDraft<'city' | 'country', string>(saved, form, problems)
    expect(refused).toEqual({ form, problems, saves: 1, saved: null })
    expect(draftVersion(savedDraft(refused, form, 'again'))).toBe('2')
  })

  const again = (draft: FormDraft<'city' | 'country', string> | null, differences: object, version: string | null) =>
    isRepetition(draft, { ...form, ...differences }, version)

  it('submitting a saved form again from the same page is a repetition', () => {
    expect(again(saved, {}, '0')).toBe(true)
    expect(again(saved, {}, null)).toBe(true)
  })

  it('a form submission is not a repetition if it comes from a newer page or contains a different value', () => {
    expect(again(saved, {}, '1')).toBe(false)
    for (const field of Object.keys(form)) expect(again(saved, { [field]: 'other' }, '0')).toBe(false)
  })

  it('a form submission is not a repetition if it is the first submission or follows a refused submission', () => {
    expect(again(null, {}, null)).toBe(false)
    for (const version of ['0', null]) expect(again(refusedDraft(null, form, problems), {}, version)).toBe(false)
  })
})
