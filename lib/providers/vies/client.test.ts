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
  it('VIES confirms a registered VAT number with its holder and proof of the check', async () => {
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

  it('VIES reports an invalid VAT number', async () => {
    expect(await askVies('DE136695976')).toMatchObject({ result: 'invalid', name: null, address: null })
  })

  it.each([
    { country: 'CH', vatId: 'CHE100155212MWST' },
    { country: 'NL', vatId: null },
  ])('VIES is asked without a requester when the seller is outside the EU or has no VAT ID', async (given) => {
    withSeller(vies.url, given)
    expect(await askVies('DE136695976')).toMatchObject({ result: 'invalid', consultationNumber: null })
    expect(vies.questions()).toEqual([{ countryCode: 'DE', vatNumber: '136695976' }])
  })

  it.each([
    [200, 'MS_UNAVAILABLE'],
    [400, 'MS_UNAVAILABLE'],
    [400, 'INVALID_INPUT'],
    [500, 'SERVICE_UNAVAILABLE'],
  ])('the result is unknown when VIES fails with status %s, %s', async (status, error) => {
    vies.fail({ status, error })
    expect(await askVies('DE136695976')).toMatchObject({ result: 'unknown', error })
  })

  it('VIES is asked again without a requester when it does not know the requester', async () => {
    vies.fail({ status: 400, error: 'INVALID_REQUESTER_INFO' })
    expect(await askVies('DE136695976')).toMatchObject({ result: 'unknown', error: 'INVALID_REQUESTER_INFO' })
    expect(vies.questions().map(({ requesterNumber }) => requesterNumber)).toEqual(['004495445B01', undefined])
  })

  it('the result is unknown while VIES is unreachable, and requests pause after five failures', async () => {
    await vies.close()
    const errors = []
    for (let question = 0; question < 6; question++) errors.push((await askVies('DE136695976')).error)
    expect(errors).toEqual([...Array(5).fill('CONNECTION_FAILED'), 'PAUSED_AFTER_FAILURES'])
    vies = await startVies()
  })

  it.each([
    ['answers that the state is unavailable', { status: 500, error: 'MS_UNAVAILABLE' }],
    ['answers that the state is busy', { status: 503, error: 'MS_MAX_CONCURRENT_REQ' }],
    ['answers that the state was too slow', { status: 504, error: 'TIMEOUT' }],
  ])('requests about one member state pause when VIES %s', async (_, failure) => {
    vies.fail(failure)
    const errors = []
    for (let question = 0; question < 6; question++) errors.push((await askVies('DE136695976')).error)
    expect(errors).toEqual([...Array(5).fill(failure.error), 'PAUSED_AFTER_FAILURES'])
    vies.fail(null)
    expect(await askVies('FR40303265045')).toMatchObject({ result: 'invalid' })
    expect(await askVies('DE136695976')).toMatchObject({ error: 'PAUSED_AFTER_FAILURES' })
  })

  it('requests about all member states pause when VIES itself is down', async () => {
    vies.fail({ status: 503, error: 'SERVICE_UNAVAILABLE' })
    for (const taxId of ['DE136695976', 'FR40303265045', 'DE136695976', 'IT00743110157', 'DE136695976'])
      expect(await askVies(taxId)).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(await askVies('ESB58378431')).toMatchObject({ error: 'PAUSED_AFTER_FAILURES' })
  })

  it('a VIES request may take 20 seconds in the background, or 5 seconds while a buyer waits', async () => {
    const limits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms)
      return AbortSignal.abort()
    })
    for (const waiting of ['page', 'background'] as const)
      expect(await askVies('DE136695976', waiting)).toMatchObject({ result: 'unknown', error: 'TIMEOUT' })
    expect(limits).toEqual([5_000, 20_000])
  })

  it('a buyer’s request reaches VIES while background requests are slow', async () => {
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

  it('at most 16 VIES requests run at once', async () => {
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
