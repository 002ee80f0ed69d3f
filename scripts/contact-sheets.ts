import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'

const gridOf = (width: number) =>
  width < 600
    ? { columns: 6, perSheet: 12, shown: 320, height: 860 }
    : { columns: 3, perSheet: 9, shown: 640, height: 560 }

/** Writes contact sheets next to the folder of pictures. Each sheet shows the tops of many pictures. */
export async function makeSheets(page: Page, folder: string, width: number): Promise<void> {
  const { columns, perSheet, shown, height } = gridOf(width)
  const files = readdirSync(folder).sort()
  const style = `body{margin:12px;display:grid;gap:12px;grid-template-columns:repeat(${columns},${shown}px);background:#888}
    figure{margin:0;height:${height}px;overflow:hidden;font:bold 15px sans-serif}img{width:100%}`
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: columns * (shown + 12) + 12, height })
  for (let nth = 0; nth * perSheet < files.length; nth++) {
    const figures = files
      .slice(nth * perSheet, (nth + 1) * perSheet)
      .map((file) => `<figure><figcaption>${path.parse(file).name}</figcaption><img src="${file}"></figure>`)
    const document = path.join(folder, 'sheet.html')
    writeFileSync(document, `<!doctype html><meta charset="utf-8"><style>${style}</style>${figures.join('')}`)
    await page.goto(`file://${document}`)
    await page.screenshot({ path: `${folder}-${nth + 1}.png`, fullPage: true })
    rmSync(document)
  }
}
