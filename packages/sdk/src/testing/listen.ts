type Answering = (request: Request) => Promise<Response>

/** Imports `node:http` lazily, because some platforms do not have it. */
export async function listenOn(fetch: Answering, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const { createServer } = await import('node:http')
  const server = createServer(async (incoming, outgoing) => {
    try {
      let text = ''
      for await (const part of incoming.setEncoding('utf8')) text += part
      const method = incoming.method ?? 'GET'
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
      const body = text === '' ? null : text
      const response = await fetch(
        new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body }),
      )
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(await response.text())
    } catch (error) {
      outgoing.writeHead(500)
      outgoing.end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
