import { describe, expect, it } from 'vitest'
import { accountsAt, checkedDetails, isSameAccount, type PayoutAccount } from './account.ts'

describe('entered bank details', () => {
  const right = { holder: ' Lumen Software B.V. ', iban: 'nl91 abna 0417 1643 00' }

  it.each([
    [right, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300', bic: null }],
    [
      { ...right, bic: ' ' },
      { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300', bic: null },
    ],
    [
      { ...right, bic: 'abnanl2a', holder: 'Łukasz' },
      { holder: 'Lukasz', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
    ],
  ])('the entered bank details %j are stored as %j', (typed, details) => {
    expect(checkedDetails(typed)).toEqual(details)
  })

  it('the error about the account holder’s name lists the allowed characters', () => {
    expect(() => checkedDetails({ ...right, holder: 'Ωmega' })).toThrow(
      expect.objectContaining({
        on: {
          holder: [
            "Must be the holder's name, 1 to 70 characters of these: Latin letters (accents are dropped), digits, spaces, and / - ? : ( ) . , ' +; & becomes +, and quotation marks are dropped.",
          ],
        },
      }),
    )
  })

  it.each([
    [{ ...right, holder: ' ' }, ['holder']],
    [{ ...right, holder: 'a'.repeat(71) }, ['holder']],
    [{ ...right, holder: 'Ελλάδα' }, ['holder']],
    [{ ...right, holder: 'Lumen <B.V.>' }, ['holder']],
    [{ ...right, iban: 'NL91ABNA0417164301' }, ['iban']],
    [{ ...right, bic: 'ABNA' }, ['bic']],
    [{ holder: '', iban: '', bic: '?' }, ['holder', 'iban', 'bic']],
  ])('the entered bank details %j are refused with errors on %j', (typed, fields) => {
    expect(() => checkedDetails(typed)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        on: Object.fromEntries(fields.map((field) => [field, [expect.stringMatching(/^Must be .*\.$/)]])),
      }),
    )
  })
})

describe('current and pending account', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))
  const account = (id: string, created: number, valid: number, stopped: number | null = null): PayoutAccount => ({
    id,
    details: { holder: 'Lumen', iban: 'NL91ABNA0417164300', bic: null },
    createdAt: at(created),
    validFrom: at(valid),
    stoppedAt: stopped === null ? null : at(stopped),
  })

  it.each([
    ['no account was entered', [], 10, null, null],
    ['the first account is in its waiting period', [account('a', 9, 12)], 10, null, 'a'],
    ['the waiting period of the first account is over', [account('a', 9, 12)], 12, 'a', null],
    ['a second account is in its waiting period', [account('b', 11, 14), account('a', 1, 4)], 12, 'a', 'b'],
    ['the waiting period of the second account is over', [account('b', 11, 14), account('a', 1, 4)], 14, 'b', null],
    ['the second account was stopped', [account('b', 11, 14, 12), account('a', 1, 4)], 15, 'a', null],
    [
      'the account in its waiting period was replaced',
      [account('c', 12, 15), account('b', 11, 14, 12), account('a', 1, 4)],
      14,
      'a',
      'c',
    ],
    ['the only account was stopped', [account('a', 9, 12, 10)], 15, null, null],
  ])('when %s, the current bank account is $3 and the pending account is $4', (_, accounts, day, current, pending) => {
    const found = accountsAt(accounts, at(day))
    expect([found.current?.id ?? null, found.pending?.id ?? null]).toEqual([current, pending])
  })

  it('two bank accounts are equal if holder, IBAN, and BIC are equal', () => {
    const { details } = account('a', 1, 4)
    expect(isSameAccount(details, { ...details })).toBe(true)
    for (const other of [{ holder: 'Umbra' }, { iban: 'DE89370400440532013000' }, { bic: 'ABNANL2A' }])
      expect(isSameAccount(details, { ...details, ...other })).toBe(false)
  })
})
