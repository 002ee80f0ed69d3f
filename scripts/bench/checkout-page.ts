import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Bench } from './context.ts'
import { medianRound, type Round } from './figures.ts'

/** This file compares the checkout page with an empty page of the same size on the same version of Next.js. */

export interface Page extends Round {
  readonly name: string
  readonly bytes: number
}

const root = path.resolve(import.meta.dirname, '../..')
const target = 1.5

/** Measures with one connection, so that no request waits for another request. */
export async function measureCheckoutPage(
  { installation, api, shop, loader, keep, say }: Bench,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Page[]> {
  const checkout = await api.call(201, 'POST', '/v1/checkouts', shop.checkoutBody)
  const ours = { origin: installation.baseUrl, path: new URL(checkout.links.checkoutUrl.href).pathname }
  say('Building the bare page')
  const origin = await startBarePage(keep)
  const bytes = await sizeOf(ours)
  const bare = { origin, path: await pathOfSize(origin, bytes) }
  const found: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] }
  const ask = ({ origin, path }: Address, seconds: number) =>
    loader.ask({ origin, requests: [{ method: 'GET', path, headers: {} }], status: 200, connections: 1, seconds })
  say('Measuring both')
  for (const each of [ours, bare]) await ask(each, seconds)
  while (found.bare.length < rounds) {
    found.ours.push(await ask(ours, seconds))
    found.bare.push(await ask(bare, seconds))
  }
  return [
    { name: 'checkout of two products', bytes, ...medianRound(found.ours) },
    { name: 'bare page of Next.js', bytes: await sizeOf(bare), ...medianRound(found.bare) },
  ]
}

interface Address {
  readonly origin: string
  readonly path: string
}

const sizeOf = async ({ origin, path }: Address): Promise<number> => {
  const response = await fetch(origin + path)
  if (response.status !== 200) throw new Error(`a page responded with ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}

/** Returns the path of the empty page whose size is closest to `bytes`. Each paragraph adds about the same number of bytes. */
async function pathOfSize(origin: string, bytes: number): Promise<string> {
  const pathOf = (paragraphs: number) => `/?paragraphs=${paragraphs}`
  const [none, hundred] = [await sizeOf({ origin, path: pathOf(0) }), await sizeOf({ origin, path: pathOf(100) })]
  return pathOf(Math.max(0, Math.round((100 * (bytes - none)) / (hundred - none))))
}

const files = {
  'app/layout.tsx': `export default ({ children }: { children: React.ReactNode }) => <html lang="en"><body>{children}</body></html>`,
  'app/page.tsx': `export default async function Page({ searchParams }: { searchParams: Promise<{ paragraphs: string }> }) {
    const { paragraphs } = await searchParams
    return <main>{Array.from({ length: Number(paragraphs) }, (_, n) => <p key={n}>Paragraph {n} of a page that reads nothing.</p>)}</main>
  }`,
  'next.config.mjs': 'export default { typescript: { ignoreBuildErrors: true } }',
}

async function startBarePage(keep: Bench['keep']): Promise<string> {
  const { freePort } = await import(path.join(root, 'scripts/embedded-postgres.mjs'))
  const folder = path.join(root, '.data/bench-page')
  keep({ stop: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const next = (args: string[]) => {
    const { PATH = '', HOME = '' } = process.env
    return spawn(process.execPath, [path.join(root, 'node_modules/next/dist/bin/next'), ...args], {
      cwd: folder,
      env: { PATH, HOME, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
  const building = next(['build'])
  building.stdout.resume()
  const code = await new Promise((resolve) => building.once('exit', resolve))
  if (code !== 0) throw new Error('the bare page was not built; the reason is above')
  const port = String(await freePort())
  const serving = next(['start', '--port', port])
  const ended = new Promise<void>((resolve) => serving.once('exit', () => resolve()))
  keep({
    stop: async () => {
      serving.kill()
      await ended
    },
  })
  await new Promise<void>((resolve, reject) => {
    serving.stdout.on('data', (text) => /Ready in/.test(String(text)) && resolve())
    ended.then(() => reject(new Error('the bare page was not served; the reason is above')))
  })
  return `http://localhost:${port}`
}

export function pageTable(pages: readonly Page[]): string {
  const bare = pages.at(-1)?.p50 ?? Number.NaN
  return [
    '| page, requested by one caller | bytes | p50 ms | p99 ms | p50 ÷ p50 of the bare page | target |',
    '|---|--:|--:|--:|--:|--:|',
    ...pages.map(
      ({ name, bytes, p50, p99 }, n) =>
        `| ${name} | ${bytes.toLocaleString('en')} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${(p50 / bare).toFixed(2)} | ${n === 0 ? target : ''} |`,
    ),
  ].join('\n')
}

export const pageNotes = `- **Method**: one caller requests both pages in turn, and sends each request after the last byte of the
  previous response.
  Figures are medians of the rounds.
- **Bare page**: \`next start\` renders a page of text at each request. The page reads no data, and has no translations, styles, or
  scripts.
`
