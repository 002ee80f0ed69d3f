import { createHash } from 'node:crypto'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { InvoiceDocument } from './page.ts'
import { Workers } from './pdf/workers.ts'

/** An invoice as a file. */
export interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of the bytes: a correction has another. */
  readonly etag: string
}

interface Limits {
  /** Of all documents that are kept. */
  readonly mostBytes: number
}

/**
 * Draws documents in threads of their own, two at a time, and keeps them. What a sheet says is its version: the same sheet is drawn once,
 * however many ask for it at once, and a corrected one is another.
 */
export class Documents {
  private readonly kept = new Map<string, Document>()
  private readonly drawing = new Map<string, Promise<Document>>()
  private size = 0
  private readonly queue = new WorkQueue({ atOnce: 2, most: 120, mostOfOne: 60, retryAfterSeconds: 10 })

  constructor(
    private readonly workers: Pick<Workers, 'draw' | 'close'> = new Workers(),
    private readonly limits: Limits = { mostBytes: 32 * 1024 * 1024 },
  ) {}

  /** The sheet as a file. Storefronts have their turn one after the other. Throws `Busy` where too many wait. */
  async get(invoice: InvoiceDocument, storefrontId: string): Promise<Document> {
    const version = createHash('sha256').update(JSON.stringify(invoice)).digest('base64url')
    const known = this.kept.get(version)
    if (known) {
      this.kept.delete(version)
      this.kept.set(version, known)
      return known
    }
    const underway = this.drawing.get(version) ?? this.draw(invoice, storefrontId, version)
    this.drawing.set(version, underway)
    return underway
  }

  /** Ends the threads; what waits is told `Busy`. */
  async close(): Promise<void> {
    this.queue.clear()
    await this.workers.close()
  }

  private async draw(invoice: InvoiceDocument, storefrontId: string, version: string): Promise<Document> {
    try {
      const bytes = await this.queue.run(storefrontId, () => this.workers.draw(invoice))
      const document = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
      this.keep(version, document)
      return document
    } finally {
      this.drawing.delete(version)
    }
  }

  /** Forgets those that were not asked for the longest. */
  private keep(version: string, document: Document): void {
    this.kept.set(version, document)
    this.size += document.bytes.length
    for (const [oldest, { bytes }] of this.kept) {
      if (this.size <= this.limits.mostBytes) return
      this.kept.delete(oldest)
      this.size -= bytes.length
    }
  }
}
