// @ts-check
// Decodes an untrusted logo in a separate process without our environment variables, because a time limit cannot stop C
// code in a thread. This file is JavaScript, because Node.js runs it without a build.
import { writeSync } from 'node:fs'
import sharp from 'sharp'

/**
 * @typedef {{ format: 'png' | 'jpeg' | 'webp' | 'svg', pixels: number, memory: number, width: number, height: number }} Task
 */

/** @type {Task} */
const { format, pixels, memory, width, height } = JSON.parse(process.argv[2] ?? '')
const loader = { png: 'Png', jpeg: 'Jpeg', webp: 'Webp', svg: 'Svg' }[format]

// Blocks all decoders except the decoder of the format that the file claims to have.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: [`VipsForeignLoad${loader}Buffer`] })
sharp.cache(false)
sharp.concurrency(1)

// An SVG can embed a picture of any size, so this timer kills the process if the process uses too much memory. The
// decoders run on other threads and do not delay the timer.
setInterval(() => {
  if (process.memoryUsage.rss() < memory) return
  writeSync(1, `${JSON.stringify({ problem: 'costly' })}\n`)
  process.kill(process.pid, 'SIGKILL')
}, 10).unref()

const large = 96 * 1024

/** @returns {Promise<Buffer>} */
async function given() {
  const parts = []
  for await (const part of process.stdin) parts.push(part)
  return Buffer.concat(parts)
}

/** @param {Buffer} file */
async function encode(file) {
  const options = { limitInputPixels: pixels, failOn: /** @type {const} */ ('warning'), animated: false }
  const open = (density = 72) => sharp(file, { ...options, ...(format === 'svg' && { density }) })
  const found = await open().metadata()
  if (found.format !== format) return { problem: 'unreadable' }
  // Draws an SVG at its stored size, because enlarging a smaller drawing would blur the logo.
  const scale = Math.min(width / found.width, height / found.height)
  const density = Math.min(100_000, Math.max(1, 72 * scale))
  // `autoOrient` applies the orientation of a photograph before sharp drops the metadata.
  const raw = await open(density)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = () => sharp(raw.data, { raw: raw.info })
  const sample = await picture()
    .resize({ width: 64, height: 64, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer()
  const { data, info } = await stored(picture)
  return { extension: format === 'jpeg' ? 'jpg' : 'png', width: info.width, height: info.height, sample, data }
}

/**
 * A JPEG is stored as a JPEG. Other formats become a PNG, which preserves sharp edges and transparency.
 * @param {() => import('sharp').Sharp} picture
 */
async function stored(picture) {
  const whole = { resolveWithObject: /** @type {const} */ (true) }
  if (format === 'jpeg') return picture().removeAlpha().jpeg({ quality: 88, mozjpeg: true }).toBuffer(whole)
  const exact = await picture().png({ compressionLevel: 9 }).toBuffer(whole)
  return exact.data.length <= large ? exact : picture().png({ palette: true, quality: 95 }).toBuffer(whole)
}

/** @param {unknown} error */
const problemOf = (error) => (/pixel limit/.test(String(error)) ? 'pixels' : 'unreadable')

const { sample, data, ...rest } =
  /** @type {Partial<Awaited<ReturnType<typeof encode>>> & { sample?: Buffer, data?: Buffer }} */ (
    await encode(await given()).catch((error) => ({ problem: problemOf(error) }))
  )
process.stdout.write(`${JSON.stringify({ ...rest, sampleBytes: sample?.length ?? 0 })}\n`)
if (sample && data) process.stdout.write(Buffer.concat([sample, data]))
