import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

// The list omits test tools and drills, because they may simulate lost connections and wrong clocks.
const files = ['lib', 'app', 'components', 'scripts', 'e2e', 'packages', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => !/\/(?:node_modules|dist|generated|\.next)\/|^lib\/testing\/|^scripts\/drills\//.test(file)),
)
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/**
 * Patterns for undocumented parts of Node.js, V8, Next.js, React, and pg. Each pattern must match its examples in
 * `uses`.
 */
const internals: Record<string, { pattern: RegExp; uses: readonly string[] }> = {
  'the engine': {
    pattern: /node:v8|setFlagsFromString|process\.binding|Function\.prototype|getOwnPropertySymbols/,
    uses: ["import v8 from 'node:v8'", "process.binding('tcp_wrap')", 'Object.getOwnPropertySymbols(socket)'],
  },
  'a flag of V8': {
    pattern: /--(?:heap|max-semi-space|stack-size|liftoff|allocation|no-allocation|optimize-for)/,
    uses: ["execArgv: ['--max-semi-space-size=1']"],
  },
  'an internal module of Node.js': {
    pattern: /'(?:node:)?(?:_(?:http|stream|tls)_\w+|internal\/[\w/]+)'/,
    uses: ["import { Server } from 'node:_http_server'", "require('internal/cluster/primary')"],
  },
  'an internal message of node:cluster': {
    pattern: /internalMessage|\bnewconn\b|NODE_(?:CHANNEL|HANDLE|UNIQUE_ID)/,
    uses: ["process.on('internalMessage', read)", "if (message.act === 'newconn')", 'process.env.NODE_CHANNEL_FD'],
  },
  'a replaced method': {
    pattern: /\.(?:send|emit|write|writeHead|setHeader|listen|fork|spawn|kill) = /,
    uses: ['process.send = function (message) {', 'response.writeHead = (status) => {'],
  },
  'a method of the prototype of a platform class': {
    // The pattern also finds the prototypes of `Object`, `Array`, and `String`, because documented functions, such as
    // `Object.hasOwn`, can replace these calls.
    pattern: /\b[A-Z]\w*\.prototype(?:\.\w+|\[\w+\])\.(?:call|apply|bind)\(|\bReflect\.apply\(\w+\.prototype\b/,
    uses: [
      'SocketServer.prototype.close.call(server, resolve)',
      'net.Server.prototype.close.apply(server, [resolve])',
      'const close = EventEmitter.prototype.emit.bind(socket)',
      'Reflect.apply(Server.prototype.close, server, [])',
    ],
  },
  'a replaced global or class': {
    pattern: /globalThis\.(?!PRISMA)[A-Z]\w* = |Reflect\.(?:deleteProperty|set)\(|\.prototype\.\w+ = /,
    uses: ['globalThis.Date = Clock', "Reflect.set(socket, 'server', other)", 'Server.prototype.close = close'],
  },
  'a subclass of a class that is not made for subclasses': {
    pattern: /class \w+ extends (?:Request|Response|Headers|pg\.Query|IncomingMessage|ServerResponse)\b/,
    uses: ['class Answer extends ServerResponse {'],
  },
  'a file of Next.js or React': {
    pattern: /next\/dist\/(?!bin\/next')|react-dom\/cjs/,
    uses: ["import 'next/dist/server/next.js'", "import 'react-dom/cjs/react-dom.production.js'"],
  },
  'an undocumented property': {
    pattern: /\bconnection\.stream\b|\.shouldKeepAlive\b/,
    uses: ['client.connection.stream.destroy()', 'response.shouldKeepAlive = false'],
  },
  // The pattern allows `_count` and `_sum` of Prisma, `_links` of Mollie, the fonts and glyphs of pdfkit and fontkit,
  // and the exports of wasm-bindgen.
  'a property with an underscore': {
    pattern: /\._(?!(?:count|sum|links|font|glyphs)\b|_wb)\w|\b_handle\b/,
    uses: ['server._handle.fd', 'const { _handle } = server', 'process._getActiveHandles()', 'pool._connected'],
  },
}

describe('internals of Node.js, V8, Next.js, React, and pg', () => {
  it('the service and its scripts use no undocumented parts of Node.js, V8, Next.js, React, or pg', () => {
    const found = files.flatMap((file) => {
      const code = withoutComments(readFileSync(file, 'utf8'))
      return Object.entries(internals).flatMap(([name, { pattern }]) => (pattern.test(code) ? `${file}: ${name}` : []))
    })
    expect(found).toEqual([])
    expect(files.length).toBeGreaterThan(1_000)
  })

  it.each(
    Object.entries(internals).flatMap(([name, { pattern, uses }]) => uses.map((use) => [name, use, pattern] as const)),
  )('the check for undocumented parts finds %s in the line `%s`', (_, use, pattern) => {
    expect(use).toMatch(pattern)
  })

  it.each([
    "process.send('ready')",
    'cluster.schedulingPolicy = cluster.SCHED_NONE',
    "response.setHeader('Connection', 'close')",
    'server.listen(port)',
    "path.join('node_modules/next/dist/bin/next')",
    'row._count',
  ])('the check for undocumented parts accepts the line `%s`', (line) => {
    const found = Object.entries(internals).flatMap(([name, { pattern }]) => (pattern.test(line) ? name : []))
    expect(found).toEqual([])
  })
})
