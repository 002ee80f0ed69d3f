import { createHash } from 'node:crypto'
import { versionOf } from '../../platform/crypto/version-of.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { DocumentContent } from './page.ts'
import { Workers } from './pdf/workers.ts'

export interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** `etag` is derived from the content, so that an updated invoice has a new ETag. */
  readonly etag: string
}

type ReadLogo = () => Promise<Uint8Array | null>

interface Limits {
  readonly mostBytes: number
}

/** Draws two documents at a time in worker threads, and caches them by content. Concurrent requests for equal content share one drawing. */
export class Documents {
  private readonly kept = new Map<string, Document>()
  private readonly drawing = new Map<string, Promise<Document>>()
  private size = 0
  private readonly queue = new WorkQueue({ atOnce: 2, most: 120, mostOfOne: 60, retryAfterSeconds: 10 })

  constructor(
    private readonly workers: Pick<Workers, 'draw' | 'close'> = new Workers(),
    private readonly limits: Limits = { mostBytes: 32 * 1024 * 1024 },
  ) {}

  /** The queue serves the storefronts in rotation. Throws `Busy` if too many requests wait. */
  async get(content: DocumentContent, storefrontId: string, readLogo: ReadLogo = async () => null): Promise<Document> {
    const version = versionOf(content)
    const known = this.kept.get(version)
    if (known) {
      this.kept.delete(version)
      this.kept.set(version, known)
      return known
    }
    const underway = this.drawing.get(version) ?? this.draw(content, { storefrontId, version, readLogo })
    this.drawing.set(version, underway)
    return underway
  }

  async close(): Promise<void> {
    this.queue.clear()
    await this.workers.close()
  }

  private async draw(
    content: DocumentContent,
    { storefrontId, version, readLogo }: { storefrontId: string; version: string; readLogo: ReadLogo },
  ): Promise<Document> {
    try {
      const bytes = await this.queue.run(storefrontId, async () => this.workers.draw(content, await readLogo()))
      const document = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
      this.keep(version, document)
      return document
    } finally {
      this.drawing.delete(version)
    }
  }

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
