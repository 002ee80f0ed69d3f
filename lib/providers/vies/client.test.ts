import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as config from '../../platform/config.ts'
import { startVies, type Vies } from '../../testing/stand-ins/vies.ts'
import { readAnswer } from './answer.ts'
import { askVies, resetVies } from './client.ts'

const seller = { country: 'NL', vatId: 'NL004495445B01' }
const withSeller = (apiBase: string, given: { country: string; vatId: string | null } = seller) =>
  vi.spyOn(config, 'config').mockReturnValue({ vies: { apiBase }, seller: given } as config.Config)

let vies: Vies

beforeEach(async () => {
  resetVies()
  vies = await startVies()
  withSeller(vies.url)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await vies.close()
})

describe('VIES', () => {
  it('VIES confirms a registered VAT number with its holder and a consultation number', async () => {
    vies.register({ countryCode: 'EL', vatNumber: '094259216', name: 'Hellas AE', address: 'Athens' })
    expect(await askVies('GR094259216')).toEqual({
      result: 'valid',
      name: 'Hellas AE',
      address: 'Athens',
      consultationNumber: expect.stringMatching(/^WAPI/),
      error: null,
    })
    expect(vies.questions()).toEqual([
      { countryCode: 'EL', vatNumber: '094259216', requesterMemberStateCode: 'NL', requesterNumber: '004495445B01' },
    ])
  })

  it('a VAT number that VIES does not know is invalid', async () => {
    expect(await askVies('DE136695976')).toMatchObject({ result: 'invalid', name: null, address: null })
  })

  it.each([
    { country: 'CH', vatId: 'CHE100155212MWST' },
    { country: 'NL', vatId: null },
  ])('a VIES request has no requester if the seller is outside the EU or has no VAT ID: $country', async (given) => {
    withSeller(vies.url, given)
    expect(await askVies('DE136695976')).toMatchObject({ result: 'invalid', consultationNumber: null })
    expect(vies.questions()).toEqual([{ countryCode: 'DE', vatNumber: '136695976' }])
  })

  it.each([
    [200, 'MS_UNAVAILABLE'],
    [400, 'MS_UNAVAILABLE'],
    [400, 'INVALID_INPUT'],
    [500, 'SERVICE_UNAVAILABLE'],
  ])('the result for a VAT number is unknown if VIES fails with status %s and code %s', async (status, error) => {
    vies.fail({ status, error })
    expect(await askVies('DE136695976')).toMatchObject({ result: 'unknown', error })
  })

  it('a VIES request is repeated without the requester if VIES does not know the requester', async () => {
    vies.fail({ status: 400, error: 'INVALID_REQUESTER_INFO' })
    expect(await askVies('DE136695976')).toMatchObject({ result: 'unknown', error: 'INVALID_REQUESTER_INFO' })
    expect(vies.questions().map(({ requesterNumber }) => requesterNumber)).toEqual(['004495445B01', undefined])
  })

  it('while VIES is unreachable, results are unknown, and requests pause after five failures', async () => {
    await vies.close()
    const errors = []
    for (let question = 0; question < 6; question++) errors.push((await askVies('DE136695976')).error)
    expect(errors).toEqual([...Array(5).fill('CONNECTION_FAILED'), 'PAUSED_AFTER_FAILURES'])
    vies = await startVies()
  })

  it.each([
    ['reports that the state is unavailable', { status: 500, error: 'MS_UNAVAILABLE' }],
    ['reports that the state is busy', { status: 503, error: 'MS_MAX_CONCURRENT_REQ' }],
    ['reports that the state was too slow', { status: 504, error: 'TIMEOUT' }],
  ])('requests about one member state pause after VIES %s', async (_, failure) => {
    vies.fail(failure)
    const errors = []
    for (let question = 0; question < 6; question++) errors.push((await askVies('DE136695976')).error)
    expect(errors).toEqual([...Array(5).fill(failure.error), 'PAUSED_AFTER_FAILURES'])
    vies.fail(null)
    expect(await askVies('FR40303265045')).toMatchObject({ result: 'invalid' })
    expect(await askVies('DE136695976')).toMatchObject({ error: 'PAUSED_AFTER_FAILURES' })
  })

  it('requests about all member states pause after VIES itself fails', async () => {
    vies.fail({ status: 503, error: 'SERVICE_UNAVAILABLE' })
    for (const taxId of ['DE136695976', 'FR40303265045', 'DE136695976', 'IT00743110157', 'DE136695976'])
      expect(await askVies(taxId)).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(await askVies('ESB58378431')).toMatchObject({ error: 'PAUSED_AFTER_FAILURES' })
  })

  it('the timeout of a VIES request is 20 seconds in the background and 5 seconds on a page', async () => {
    const limits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms)
      return AbortSignal.abort()
    })
    for (const waiting of ['page', 'background'] as const)
      expect(await askVies('DE136695976', waiting)).toMatchObject({ result: 'unknown', error: 'TIMEOUT' })
    expect(limits).toEqual([5_000, 20_000])
  })

  it('while 16 slow background requests to VIES are open, a page can still send a request', async () => {
    vies.fail({ status: 200, error: 'SILENCE' })
    const slow = Array.from({ length: 17 }, () => askVies('DE136695976', 'background'))
    await vi.waitFor(() => expect(vies.questions()).toHaveLength(16))
    expect(await slow[16]).toMatchObject({ error: 'TOO_MANY_QUESTIONS' })
    vies.fail(null)
    expect(await askVies('FR40303265045')).toMatchObject({ result: 'invalid' })
    await vies.close()
    await Promise.all(slow)
    vies = await startVies()
  })

  it('at most 16 VIES requests run concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => askVies('DE136695976')))
    expect(answers.filter(({ error }) => error === 'TOO_MANY_QUESTIONS')).toHaveLength(4)
    expect(vies.questions()).toHaveLength(16)
  })
})

describe('the result in a VIES response', () => {
  const asked = { countryCode: 'DE', vatNumber: '136695976' }
  it.each([
    [200, '{"valid":true,"name":"A"}', 'valid'],
    [200, '{"isValid":true,"userError":"VALID"}', 'valid'],
    [200, '{"valid":false}', 'invalid'],
    [200, '{"isValid":false,"userError":"INVALID"}', 'invalid'],
    [200, '{"isValid":false,"userError":"MS_UNAVAILABLE"}', 'unknown'],
    [200, '{"actionSucceed":false,"valid":false}', 'unknown'],
    [200, '{"valid":false,"countryCode":"FR","vatNumber":"1"}', 'unknown'],
    [200, '{"valid":"false"}', 'unknown'],
    [200, '{}', 'unknown'],
    [200, '<html>', 'unknown'],
    [400, '{"valid":false}', 'unknown'],
    [503, '', 'unknown'],
  ])('a VIES response %s %s means the VAT number is %s', (status, text, result) => {
    expect(readAnswer({ status, text }, asked).result).toBe(result)
  })
})
