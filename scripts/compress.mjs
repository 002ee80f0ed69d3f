// @ts-check
// Compression during the build can use a high level, so files are a fifth smaller than with compression per request.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)

/**
 * Writes a `.br` file next to each script and style.
 * @param {string} folder
 */
export async function compressBelow(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(path.join(folder, file))
      const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength } }
      writeFileSync(path.join(folder, `${file}.br`), await compress(content, options))
    }),
  )
}
