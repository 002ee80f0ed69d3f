import type { IncomingMessage } from 'node:http'

/**
 * A request with a body, which is read from its connection as the handler reads it, so that the handler's limit is the
 * limit. `eachPart` reads it as it arrives; a web stream, which costs more than the rest of a small request, is made only
 * for those who ask for one.
 */
export class MessageRequest extends Request {
  private made: Request | undefined

  constructor(
    private readonly message: IncomingMessage,
    url: string,
    init: RequestInit,
  ) {
    super(url, init)
  }

  /**
   * Passes on the parts of the body, in order. What `take` throws ends the reading: the rest is left on the connection, for
   * the server to discard. Throws if the connection ends before the body does.
   */
  eachPart(take: (part: Uint8Array) => void): Promise<void> {
    const { message } = this
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        message.off('data', read).off('end', finish).off('error', fail).off('close', cut).pause()
        settle()
      }
      const read = (part: Buffer) => {
        try {
          take(part)
        } catch (error) {
          fail(error)
        }
      }
      const finish = () => end(resolve)
      const fail = (error: unknown) => end(() => reject(error))
      const cut = () => fail(new Error('The connection ended before the body did.'))
      if (message.destroyed) return cut()
      message.on('data', read).on('end', finish).on('error', fail).on('close', cut)
    })
  }

  private get streamed(): Request {
    // A body that is a stream needs `duplex`, which the types do not have.
    this.made ??= new Request(this.url, {
      method: this.method,
      headers: this.headers,
      body: streamOf(this.message),
      duplex: 'half',
    } as RequestInit)
    return this.made
  }

  override get body() {
    return this.streamed.body
  }
  override get bodyUsed() {
    return this.made?.bodyUsed ?? false
  }
  override arrayBuffer() {
    return this.streamed.arrayBuffer()
  }
  override blob() {
    return this.streamed.blob()
  }
  override bytes() {
    return this.streamed.bytes()
  }
  override clone() {
    return this.streamed.clone()
  }
  override formData() {
    return this.streamed.formData()
  }
  override json() {
    return this.streamed.json()
  }
  override text() {
    return this.streamed.text()
  }
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start(controller) {
        message.pause()
        message.on('data', (chunk: Buffer) => {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) message.pause()
        })
        message.on('end', () => controller.close())
        message.on('error', (error) => controller.error(error))
      },
      pull() {
        message.resume()
      },
      cancel() {
        message.removeAllListeners('end').removeAllListeners('data').resume()
      },
    },
    { highWaterMark: 0 },
  )
}
