import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as config from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { type Hmrc, startHmrc } from '../../testing/stand-ins/hmrc.ts'
import { readAnswer } from './answer.ts'
import { askHmrc, hmrcProblem, resetHmrc } from './client.ts'

let hmrc: Hmrc
const lookup = '/organisations/vat/check-vat-number/lookup'

const withAccount = (given: Partial<NonNullable<config.Config['hmrc']>> | null = {}) => {
  const { url: apiBase, clientId, clientSecret } = hmrc
  const account = given && { apiBase, clientId, clientSecret, ...given }
  vi.spyOn(config, 'config').mockReturnValue({ hmrc: account } as config.Config)
}

beforeEach(async () => {
  resetHmrc()
  hmrc = await startHmrc()
  withAccount()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await hmrc.close()
})

describe('HMRC', () => {
  it('HMRC confirms a registered VAT number and returns the name of its holder', async () => {
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    expect(await askHmrc('GB980780684', null)).toEqual({
      result: 'valid',
      name: 'Example Ltd',
      address: '131B Barton Hamlet\nSW97 5CK\nGB',
      consultationNumber: null,
      error: null,
    })
    expect(await askHmrc('XI980780684', null)).toMatchObject({ result: 'valid' })
    expect(hmrc.questions()).toEqual([`${lookup}/980780684`, `${lookup}/980780684`])
  })

  it('a VAT number that HMRC does not know is invalid', async () => {
    expect(await askHmrc('GB980780684', null)).toEqual({
      result: 'invalid',
      name: null,
      address: null,
      consultationNumber: null,
      error: null,
    })
  })

  it('HMRC returns a consultation number only for a registered seller', async () => {
    hmrc.register({ vatNumber: '980780684', name: 'Example Ltd' })
    expect(await askHmrc('GB980780684', 'GB 146 2959 99')).toMatchObject({ result: 'valid', consultationNumber: null })
    hmrc.register({ vatNumber: '146295999', name: 'Seller' })
    expect(await askHmrc('GB980780684', 'GB 146 2959 99')).toMatchObject({
      result: 'valid',
      consultationNumber: expect.stringMatching(/^ypA/),
    })
    expect(hmrc.questions()).toEqual([
      ...[`${lookup}/980780684/146295999`, `${lookup}/980780684`, `${lookup}/980780684/146295999`],
    ])
  })

  it('an HMRC token is reused until HMRC revokes it', async () => {
    for (let question = 0; question < 3; question++) await askHmrc('GB980780684', null)
    expect(hmrc.tokensGiven()).toBe(1)
    hmrc.withdrawTokens()
    expect(await askHmrc('GB980780684', null)).toMatchObject({ result: 'invalid' })
    expect(hmrc.tokensGiven()).toBe(2)
  })

  it.each([
    [500, 'INTERNAL_SERVER_ERROR'],
    [503, 'SERVER_ERROR'],
    [429, 'MESSAGE_THROTTLED_OUT'],
    [403, 'FORBIDDEN'],
    [400, 'INVALID_REQUEST'],
    [404, 'MATCHING_RESOURCE_NOT_FOUND'],
  ])('the result for a VAT number is unknown if HMRC fails with status %s and code %s', async (status, code) => {
    hmrc.fail({ status, code })
    expect(await askHmrc('GB980780684', null)).toMatchObject({ result: 'unknown', error: code })
  })

  it('no request is sent to HMRC for the number of a government department', async () => {
    expect(await askHmrc('GBGD001', null)).toMatchObject({ result: 'unknown' })
    expect(hmrc.questions()).toEqual([])
  })

  it('with wrong HMRC credentials, the result is unknown, and the log does not contain the credentials', async () => {
    const warned = vi.spyOn(log, 'warn')
    withAccount({ clientSecret: 'hunter2' })
    expect(await askHmrc('GB980780684', null)).toMatchObject({ result: 'unknown', error: 'NO_TOKEN_HTTP_401' })
    expect(await hmrcProblem()).toBe('NO_TOKEN_HTTP_401')
    expect(warned).toHaveBeenCalled()
    expect(JSON.stringify(warned.mock.calls)).not.toContain('hunter2')
    withAccount()
    expect(await hmrcProblem()).toBeNull()
    withAccount(null)
    expect(await hmrcProblem()).toBeNull()
    expect(await askHmrc('GB980780684', null)).toMatchObject({ result: 'unknown', error: 'NOT_CONFIGURED' })
  })

  it('while HMRC is unreachable, results are unknown, and requests pause after five failures', async () => {
    await hmrc.close()
    const errors = []
    for (let question = 0; question < 6; question++) errors.push((await askHmrc('GB980780684', null)).error)
    expect(errors).toEqual([...Array(5).fill('CONNECTION_FAILED'), 'PAUSED_AFTER_FAILURES'])
    hmrc = await startHmrc()
  })
})

describe('the result in an HMRC response', () => {
  it.each([
    [200, '{"target":{"vatNumber":"980780684"}}', 'valid'],
    [200, '{"target":{"vatNumber":"980780684001","name":"A"}}', 'valid'],
    [200, '{"target":{"vatNumber":"123456789"}}', 'unknown'],
    [200, '{}', 'unknown'],
    [200, '<html>', 'unknown'],
    [404, '{"code":"NOT_FOUND"}', 'invalid'],
    [404, '<html>', 'unknown'],
    [400, '{"code":"NOT_FOUND"}', 'unknown'],
    [503, '', 'unknown'],
  ])('an HMRC response with the status %s and the body %s means that the VAT number is %s', (status, text, result) => {
    expect(readAnswer({ status, text }, '980780684').result).toBe(result)
  })
})
