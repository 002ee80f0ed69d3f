/**
 * An answer whose text is known whole. The server sends `whole` as it is; a stream, which costs more than the rest of an
 * answer, is made only for those who read one.
 */
export class TextResponse extends Response {
  private made: Response | undefined

  constructor(
    readonly whole: string | null,
    init: ResponseInit,
  ) {
    super(null, init)
  }

  private get streamed(): Response {
    this.made ??= new Response(this.whole, { status: this.status, headers: this.headers })
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
