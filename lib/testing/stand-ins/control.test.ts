import { spawnSync } from 'node:child_process'
import { afterAll, expect, it } from 'vitest'
import { startHmrc } from './hmrc.ts'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'
import { startVies } from './vies.ts'

const mollie = await startMollie({})
const stripe = await startStripe({})
afterAll(async () => {
  await mollie.close()
  await stripe.close()
})

const control = async (url: string, path: string, body = '{}') => {
  const response = await fetch(`${url}/_control/${path}`, { method: 'POST', body })
  return [response.status, await response.text()] as const
}

it.each([
  ['an unknown payment of Mollie', () => mollie.url, 'chargebacks/tr_unknown', '{}', 'tr_unknown'],
  ['an unknown chargeback of Mollie', () => mollie.url, 'reversals/chb_unknown', '{}', 'chb_unknown'],
  ['an unknown payment intent of Stripe', () => stripe.url, 'disputes/cs_unknown', '{}', 'cs_unknown'],
  ['a body that is not JSON', () => stripe.url, 'disputes/pi_1', '{', 'JSON'],
  ['a body that is not an object', () => mollie.url, 'faults', 'null', 'not a JSON object'],
  ['an unknown fault', () => mollie.url, 'faults', '{"fault":"500"}', 'The fault must be one of'],
  ['a fault zero times', () => stripe.url, 'faults', '{"fault":500,"times":0}', 'at least 1'],
  ['an unknown control path', () => stripe.url, 'nothing/1', '{}', 'No such control'],
])(
  'a simulated provider responds to %s with 404 and the reason, and keeps running',
  async (_, url, path, body, reason) => {
    const [status, text] = await control(url(), path, body)
    expect([status, text]).toEqual([404, expect.stringContaining(reason)])
    expect((await fetch(`${url()}/_control/books`)).status).toBe(200)
  },
)

it('the stand-in of Mollie responds with 400 to a request of the API whose body is not JSON, and keeps running', async () => {
  const headers = { authorization: `Bearer ${mollie.apiKey}` }
  const response = await fetch(`${mollie.url}/v2/payments`, { method: 'POST', headers, body: '{' })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('JSON')])
})

it.each([
  ['VIES', startVies],
  ['HMRC', startHmrc],
])('the stand-in of %s responds with 400 to a body that is not a JSON object', async (_, start) => {
  const registry = await start()
  for (const body of ['{', 'null']) {
    const response = await fetch(`${registry.url}/_control/registered`, { method: 'POST', body })
    expect([body, response.status]).toEqual([body, 400])
  }
  await registry.close()
})

const frozen = 'Object.freeze(standIn.questions())'
const accept = `headers: { accept: 'application/vnd.hmrc.2.0+json' }`

it.each([
  [
    'a control of Mollie',
    'startMollie',
    'standIn.settle = () => undefined.id',
    '/_control/settlements',
    `method: 'POST'`,
  ],
  [
    'the API of Stripe',
    'startStripe',
    'standIn.books.customers = undefined',
    '/v1/customers',
    'headers: { authorization: "Bearer " + standIn.apiKey }',
  ],
  ['VIES', 'startVies', frozen, '/check-vat-number', `method: 'POST'`],
  ['HMRC', 'startHmrc', frozen, '/organisations/vat/check-vat-number/lookup/980780684', accept],
])(
  'a programming error in %s ends the process with a stack trace, instead of a response',
  (_, start, broken, path, init) => {
    const file = `./lib/testing/stand-ins/${start.slice('start'.length).toLowerCase()}.ts`
    const program = `import { ${start} } from '${file}'
    const standIn = await ${start}({})
    ${broken}
    await fetch(standIn.url + '${path}', { ${init} }).then(({ status }) => console.log(status), () => undefined)`
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/TypeError: [\s\S]*stand-ins/),
    })
  },
)
