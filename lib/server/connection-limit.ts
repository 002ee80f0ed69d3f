import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressBlock } from '../platform/http/client-address.ts'

/** `waiting` contains the connections without a request in progress, longest idle first. */
interface Held {
  count: number
  readonly waiting: Set<Socket>
}

/**
 * Limits each client address to `most` connections (0: no limit), because a process has few file descriptors. A new connection above the limit replaces the
 * connection that has been idle longest. If no connection is idle, the new connection is closed.
 */
export function limitConnections(server: Server, most: number): void {
  if (most === 0) return
  const byAddress = new Map<string, Held>()
  const bySocket = new WeakMap<Socket, Held>()
  const asked = new WeakMap<Socket, ServerResponse>()

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
    asked.set(socket, response)
    response.once('close', () => {
      // A connection is idle only after the response to its newest request: with pipelining, the next request can
      // arrive before the first response ends.
      if (!socket.destroyed && asked.get(socket) === response) held?.waiting.add(socket)
    })
  })
}
