import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveProvider } from './live-provider.ts'

const refused = JSON.stringify({ status: 401, error: { type: 'invalid_request_error', message: 'Invalid API key' } })

/**
 * Serves several accounts of one provider at one address, as the provider does. The API key selects the account, and an
 * unknown key is refused.
 */
export async function oneAddress(accounts: readonly LiveProvider[]) {
  const server = createServer(async (message, response) => {
    const key = (message.headers.authorization ?? '').replace(/^Bearer /, '')
    const account = accounts.find((each) => each.opensWith(key))
    if (!account) return void response.writeHead(401, { 'content-type': 'application/json' }).end(refused)
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const { method = 'GET', headers, url = '/' } = message
    const { host: _, connection: _connection, 'content-length': _length, ...passed } = headers
    const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
    const answer = await fetch(account.url + url, { method, headers: passed as Record<string, string>, ...body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
