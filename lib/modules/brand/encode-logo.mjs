// @ts-check
// The program of a process that decodes one logo. What is in the file is unknown, and the decoders are C code: so it has
// a process of its own, without our environment, and the caller kills it when it takes too long. JavaScript, so that Node
// runs it as it is, beside the source and beside a bundle alike.
import { writeSync } from 'node:fs'
import sharp from 'sharp'

/**
 * @typedef {{ format: 'png' | 'jpeg' | 'webp' | 'svg', pixels: number, memory: number, width: number, height: number }} Task
 */

/** @type {Task} */
const { format, pixels, memory, width, height } = JSON.parse(process.argv[2] ?? '')
const loader = { png: 'Png', jpeg: 'Jpeg', webp: 'Webp', svg: 'Svg' }[format]

// Only the decoder of the format that the file claims: no other is tried, whatever else the file may be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: [`VipsForeignLoad${loader}Buffer`] })
sharp.cache(false)
sharp.concurrency(1)

// An SVG image may hold another image, whose size nobody announces. The decoders run beside this thread.
setInterval(() => {
  if (process.memoryUsage.rss() < memory) return
  writeSync(1, `${JSON.stringify({ problem: 'costly' })}\n`)
  process.kill(process.pid, 'SIGKILL')
}, 10).unref()

/** Beyond this size a picture with few colors is stored with a palette. */
const large = 96 * 1024

/** @returns {Promise<Buffer>} */
async function given() {
  const parts = []
  for await (const part of process.stdin) parts.push(part)
  return Buffer.concat(parts)
}

/** @param {Buffer} file */
async function encode(file) {
  // Reads only the first frame of an animation. A truncated file is refused.
  const options = { limitInputPixels: pixels, failOn: /** @type {const} */ ('warning'), animated: false }
  const open = (density = 72) => sharp(file, { ...options, ...(format === 'svg' && { density }) })
  const found = await open().metadata()
  if (found.format !== format) return { problem: 'unreadable' }
  // Drawn in the size in which it is stored, not scaled from the size that it gives itself.
  const scale = Math.min(width / found.width, height / found.height)
  const density = Math.min(100_000, Math.max(1, 72 * scale))
  // Without metadata, which is sharp's default; turned as its camera says.
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
 * A photograph stays one; everything else keeps its sharp edges and its transparency.
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
// A line of JSON, the small copy, the file.
process.stdout.write(`${JSON.stringify({ ...rest, sampleBytes: sample?.length ?? 0 })}\n`)
if (sample && data) process.stdout.write(Buffer.concat([sample, data]))
