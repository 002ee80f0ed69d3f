import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressBlock } from '../platform/http/client-address.ts'

/** The connections of one address, and those among them on which no request is being answered, the longest waiting first. */
interface Held {
  count: number
  readonly waiting: Set<Socket>
}

/**
 * Lets one address hold at most `most` connections (0 is no limit): the descriptors of a process are few, and a connection that
 * waits for a request costs its holder nothing. A further one takes the place of the one that has waited longest; where a
 * request is being answered on each of them, it is ended at once.
 */
export function limitConnections(server: Server, most: number): void {
  if (most === 0) return
  const byAddress = new Map<string, Held>()
  const bySocket = new WeakMap<Socket, Held>()

  server.on('connection', (socket: Socket) => {
    const address = addressBlock(socket.remoteAddress ?? '')
    const held = byAddress.get(address) ?? { count: 0, waiting: new Set() }
    if (held.count >= most) {
      const [longest] = held.waiting
      if (!longest) return void socket.destroy()
      held.waiting.delete(longest)
      longest.destroy()
    }
    held.count++
    held.waiting.add(socket)
    byAddress.set(address, held)
    bySocket.set(socket, held)
    socket.once('close', () => {
      held.waiting.delete(socket)
      if (--held.count === 0) byAddress.delete(address)
    })
  })

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const held = bySocket.get(socket)
    held?.waiting.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) held?.waiting.add(socket)
    })
  })
}
