import { encode, renderSVG } from 'uqr'

/** ISO/IEC 18004 requires an empty border of four modules. */
const quietZone = 4
/** Pixels per module. A QR code of 40 modules that is printed 5 cm wide has about 500 dpi. */
const modulePixels = 24

/** Returns a QR code as an SVG and a PNG, each in a data URL. */
export async function qrCodeOf(text: string): Promise<{ svg: string; png: string }> {
  const svg = renderSVG(text, { border: quietZone, ecc: 'M' })
  const png = await pngOf(text)
  return {
    svg: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    png: `data:image/png;base64,${png.toString('base64')}`,
  }
}

async function pngOf(text: string): Promise<Buffer> {
  // In this process, only this page needs `sharp`, so the library is loaded on demand.
  const { default: sharp } = await import('sharp')
  const { data, size } = encode(text, { border: quietZone, ecc: 'M' })
  const pixels = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255))
  const width = size * modulePixels
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize({ width, height: width, kernel: 'nearest' })
    .png({ palette: true, colors: 2 })
    .toBuffer()
}
