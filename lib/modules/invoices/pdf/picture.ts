export interface Frame {
  readonly x: number
  readonly width: number
  readonly height: number
  readonly text: string
  /** Whether the picture is too faint on white paper and needs its own background. */
  readonly isOnPlate: boolean
}

interface Opened {
  readonly width: number
  readonly height: number
}

export interface Picture {
  readonly width: number
  readonly height: number
  draw(x: number, y: number): void
}

export function openPicture(
  doc: PDFKit.PDFDocument,
  bytes: Uint8Array,
  { width, height }: Pick<Frame, 'width' | 'height'>,
): Picture {
  const opened = (doc as unknown as { openImage(source: Buffer): Opened }).openImage(Buffer.from(bytes))
  const scale = Math.min(width / opened.width, height / opened.height)
  const size = { width: opened.width * scale, height: opened.height * scale }
  return { ...size, draw: (x, y) => void doc.image(opened as never, x, y, size) }
}
