/** The position and maximum size of a picture, in points. */
export interface Frame {
  readonly x: number
  readonly width: number
  readonly height: number
  /** For readers who cannot see it. */
  readonly text: string
  /** The picture would fade into white paper, so a plate is drawn behind it. */
  readonly isOnPlate: boolean
}

interface Opened {
  readonly width: number
  readonly height: number
}

/** A picture that is ready to be drawn, as large as its frame lets it be without distortion. */
export interface Picture {
  readonly width: number
  readonly height: number
  draw(x: number, y: number): void
}

/** Opens a PNG or JPEG picture. pdfkit's types do not know that it takes an opened one. */
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
