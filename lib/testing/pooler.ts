import { createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * A test server that behaves like PgBouncer in transaction mode. Like PgBouncer, the server opens its connections when
 * transactions need them, and refuses connection options. Each transaction gets a new connection. If the limit
 * `connections` is reached, the transaction gets the connection that was idle longest, so that consecutive transactions
 * rarely share a connection.
 */
export interface Pooler {
  readonly url: string
  transactions(): number
  close(): Promise<void>
}

interface Backend {
  readonly socket: Socket
  client: Client | null
}

interface Client {
  readonly socket: Socket
  backend: Backend | null
  readonly waiting: Buffer[]
}

/** Assigns a backend to each transaction of a client. */
class Backends {
  transactions = 0
  private readonly idle: Backend[] = []
  private readonly queue: Client[] = []
  private readonly sockets = new Set<Socket>()
  private opened = 0
  private isClosed = false

  constructor(
    private readonly databaseUrl: string,
    private readonly most: number,
  ) {}

  forward(client: Client, message: Buffer): void {
    if (client.backend) return void client.backend.socket.write(message)
    client.waiting.push(message)
    if (client.waiting.length > 1) return
    this.queue.push(client)
    if (this.opened < this.most) void this.open()
    else this.assign()
  }

  close(): void {
    this.isClosed = true
    for (const socket of this.sockets) socket.destroy()
  }

  private async open(): Promise<void> {
    this.opened++
    const { socket } = await loggedIn(this.databaseUrl)
    if (this.isClosed) return void socket.destroy()
    this.sockets.add(socket)
    const backend: Backend = { socket, client: null }
    socket.on('data', (chunk) => backend.client?.socket.write(chunk))
    socket.on(
      'data',
      messages((type, message) => {
        // ReadyForQuery with the status `I` means that the connection is outside a transaction.
        if (type === 'Z' && message.toString('latin1', 5, 6) === 'I') this.release(backend)
      }),
    )
    this.release(backend)
  }

  private release(backend: Backend): void {
    if (backend.client) backend.client.backend = null
    backend.client = null
    this.idle.push(backend)
    this.assign()
  }

  private assign(): void {
    const [client, backend] = [this.queue[0], this.idle[0]]
    if (!client || !backend) return
    this.queue.shift()
    this.idle.shift()
    client.backend = backend
    backend.client = client
    this.transactions++
    for (const message of client.waiting.splice(0)) backend.socket.write(message)
  }
}

const startupVersion = 196_608
const refused = 'unsupported startup parameter: options'

export async function startPooler(databaseUrl: string, connections = 4): Promise<Pooler> {
  const backends = new Backends(databaseUrl, connections)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const client: Client = { socket, backend: null, waiting: [] }
    socket.on('error', () => undefined)
    socket.once('data', (startup) => {
      if (startup.readInt32BE(4) !== startupVersion) throw new Error('not a plain start of a session')
      if (startup.toString('latin1').includes('\0options\0')) return void socket.end(errorResponse(refused))
      socket.write(Buffer.concat([reply('R', int32(0)), reply('Z', Buffer.from('I'))]))
      socket.on(
        'data',
        messages((type, message) => (type === 'X' ? socket.end() : backends.forward(client, message))),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    transactions: () => backends.transactions,
    async close() {
      backends.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function loggedIn(databaseUrl: string): Promise<{ socket: Socket }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  for (const event of ['data', 'end', 'close', 'error']) stream.removeAllListeners(event)
  stream.on('error', () => undefined)
  return { socket: stream }
}

function messages(take: (type: string, message: Buffer) => unknown) {
  let kept = Buffer.alloc(0)
  return (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    while (kept.length >= 5 && kept.length > kept.readInt32BE(1)) {
      const end = 1 + kept.readInt32BE(1)
      const message = kept.subarray(0, end)
      kept = kept.subarray(end)
      take(message.toString('latin1', 0, 1), message)
    }
  }
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const reply = (type: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(type), int32(body.length + 4), body])

const errorResponse = (message: string): Buffer =>
  reply('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`, 'latin1'))
