import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { contentCoding } from '../platform/http/content-coding.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
}

/**
 * Serves files that `compress.mjs` made. No path can escape the folder, because paths are only looked up in a map.
 * @param prefix the URL path of the folder, such as `/_next/static/`; clients cache files permanently, so file names contain a hash
 * @returns whether the file was sent
 */
export function compressedFiles(
  folder: string,
  prefix: string,
): (message: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.br'))
      .map((file) => [prefix + file.slice(0, -3).split(path.sep).join('/'), readFileSync(path.join(folder, file))]),
  )
  return (message, response) => {
    const address = (message.url ?? '').split('?', 1)[0] ?? ''
    const content = files.get(address)
    if (!content || (message.method !== 'GET' && message.method !== 'HEAD') || !takesBrotli(message)) return false
    response.writeHead(200, {
      'content-type': types[path.extname(address)] ?? 'application/octet-stream',
      'content-encoding': 'br',
      'content-length': content.byteLength,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    response.end(message.method === 'HEAD' ? undefined : content)
    return true
  }
}

const takesBrotli = ({ headers }: IncomingMessage): boolean =>
  contentCoding(String(headers['accept-encoding'] ?? ''), ['br']) !== null
