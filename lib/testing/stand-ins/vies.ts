import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A company in a register. */
interface Registered {
  readonly name: string
  readonly address: string
}

/** Error codes that VIES answers for the numbers of its test service. */
const errors: Readonly<Record<string, string>> = {
  201: 'INVALID_INPUT',
  202: 'INVALID_REQUESTER_INFO',
  300: 'SERVICE_UNAVAILABLE',
  301: 'MS_UNAVAILABLE',
  302: 'TIMEOUT',
  400: 'VAT_BLOCKED',
  401: 'IP_BLOCKED',
  500: 'GLOBAL_MAX_CONCURRENT_REQ',
  600: 'MS_MAX_CONCURRENT_REQ',
}

/** How it answers: as the registers do, not at all, or with an error, with status 200 as VIES often does. */
type Behavior = 'answers' | 'hangs up' | 'is unavailable' | 'answers 500' | 'answers nonsense'

/**
 * A stand-in for VIES: its REST interface over registers of our own. The numbers 100 (valid), 200 (invalid) and those of
 * its errors are those of its test service, in each member state. `POST /_control/companies/ID` registers a company,
 * `/_control/behavior` with a text changes how it answers.
 */
export async function startVies({ port = 0 }: { readonly port?: number } = {}) {
  const companies = new Map<string, Registered>()
  const asked: object[] = []
  const state = { behavior: 'answers' as Behavior }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? {} : JSON.parse(text)
    const [, first, what, id = ''] = (message.url ?? '').split('/')
    if (first === '_control') {
      if (what === 'companies') companies.set(id, { name: body.name, address: body.address ?? '---' })
      else state.behavior = body.behavior
      return json(response, 200, {})
    }
    if (!message.url?.endsWith('/check-vat-number')) return json(response, 404, {})
    asked.push(body)
    if (state.behavior === 'hangs up') return void message.socket.destroy()
    if (state.behavior === 'answers 500') return json(response, 500, {})
    if (state.behavior === 'answers nonsense') return void response.writeHead(200).end('<html>')
    if (state.behavior === 'is unavailable') return json(response, 200, failure('MS_UNAVAILABLE'))
    json(response, 200, answerTo(body))
  }

  function answerTo({ countryCode = '', vatNumber = '', requesterNumber }: Record<string, string>): object {
    const error = errors[vatNumber]
    if (error) return failure(error)
    const known = companies.get(`${countryCode}${vatNumber}`)
    const valid = known !== undefined || vatNumber === '100'
    return {
      ...{ countryCode, vatNumber, requestDate: new Date().toISOString(), valid },
      requestIdentifier: valid && requesterNumber ? `WAPI${asked.length}` : '',
      ...(valid ? (known ?? { name: 'John Doe', address: '123 Main St' }) : { name: '---', address: '---' }),
    }
  }

  const server = createServer((message, response) => void serve(message, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    companies,
    /** The bodies of the questions. */
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

const failure = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] })

const json = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
