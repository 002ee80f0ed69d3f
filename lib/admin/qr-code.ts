import { encode, renderSVG } from 'uqr'

/** A reader needs a quiet zone of four modules (ISO/IEC 18004). */
const quietZone = 4
/** Of a module in the PNG file: 40 modules print at 5 cm with 500 dpi. */
const modulePixels = 24

/** A QR code as data URLs: as a drawing of any size, and as a picture. */
export async function qrCodeOf(text: string): Promise<{ svg: string; png: string }> {
  const svg = renderSVG(text, { border: quietZone, ecc: 'M' })
  const png = await pngOf(text)
  return {
    svg: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    png: `data:image/png;base64,${png.toString('base64')}`,
  }
}

async function pngOf(text: string): Promise<Buffer> {
  // Loaded for this page only: the rest of the service has no use for it.
  const { default: sharp } = await import('sharp')
  const { data, size } = encode(text, { border: quietZone, ecc: 'M' })
  const pixels = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255))
  const width = size * modulePixels
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize({ width, height: width, kernel: 'nearest' })
    .png({ palette: true, colors: 2 })
    .toBuffer()
}
