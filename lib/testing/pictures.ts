import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const svg = (content: string, attributes = 'width="120" height="40"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`)

export const blackShape = svg('<rect width="60" height="40"/>')

export const picture = (
  format: 'png' | 'jpeg' | 'webp' | 'gif',
  size = { width: 120, height: 40 },
  alpha = 1,
): Promise<Buffer> =>
  sharp({ create: { ...size, channels: alpha < 1 ? 4 : 3, background: { r: 22, g: 101, b: 52, alpha } } })
    .toFormat(format)
    .toBuffer()

export function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
