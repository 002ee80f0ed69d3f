import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../environment.mjs'
import { renderSite } from './site.ts'

const [folder = ''] = process.argv.slice(2)
const { index, pages, contents, search } = await renderSite(root)
const write = (name: string, text: string) => {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
write('index.json', JSON.stringify(index))
write('search.json', search)
for (const { page, markdown } of pages) {
  write(`pages/${page.slug || 'index'}.json`, JSON.stringify(contents.get(page.slug)))
  write(`markdown/${page.slug || 'index'}.md`, markdown)
}
