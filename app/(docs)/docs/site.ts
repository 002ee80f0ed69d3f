import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { SiteIndex, SitePage } from '@/components/docs/site-types.ts'

/** `scripts/build.mjs` writes the rendered documentation to this folder. */
const folder = path.join(/* turbopackIgnore: true */ process.cwd(), 'node_modules/.cache/billhook-docs')

const read = (name: string): Promise<string> => readFile(path.join(/* turbopackIgnore: true */ folder, name), 'utf8')

let known: SiteIndex | undefined

export async function siteIndex(): Promise<SiteIndex> {
  if (!known || process.env.NODE_ENV === 'development') known = JSON.parse(await read('index.json')) as SiteIndex
  return known
}

/** Returns null for a slug that the index does not list, so that a URL cannot select a file outside the documentation. */
async function nameOf(slug: string): Promise<string | null> {
  const { groups } = await siteIndex()
  return groups.some(({ pages }) => pages.some((each) => each.slug === slug)) ? slug || 'index' : null
}

export async function sitePage(slug: string): Promise<SitePage | null> {
  const name = await nameOf(slug)
  return name === null ? null : (JSON.parse(await read(`pages/${name}.json`)) as SitePage)
}

export async function siteMarkdown(slug: string): Promise<string | null> {
  const name = await nameOf(slug)
  return name === null ? null : read(`markdown/${name}.md`)
}

export const searchIndex = (): Promise<string> => read('search.json')
