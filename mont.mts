import { chromium } from 'playwright-core'
import { readFileSync } from 'node:fs'
const [out, width, ...files] = process.argv.slice(2)
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
const p = await b.newPage({ viewport: { width: Number(width) * files.length, height: 100 } })
await p.setContent(`<body style="margin:0;display:flex;align-items:start">${files.map(f => `<img style="width:${width}px" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join('')}</body>`)
await p.screenshot({ path: out, fullPage: true }); await b.close()
