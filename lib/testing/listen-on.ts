import type { Server } from 'node:net'

/** Listens on this machine only. Rejects if the port cannot be used. With port 0, the system chooses a port. */
export const listenOn = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
