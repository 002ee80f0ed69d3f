import { headers } from 'next/headers'
import { isStorableText } from '@/lib/kernel/text.ts'

/** The cookies of the request that a page answers. */
export const cookiesOf = async (): Promise<string | null> => (await headers()).get('cookie')

/** The parameters of a query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** A parameter as it was given first; null as well for what PostgreSQL could not even look for, such as NUL. */
export function first(value: string | string[] | undefined): string | null {
  const [text] = Array.isArray(value) ? value : [value]
  return text !== undefined && isStorableText(text, { multiline: true }) ? text : null
}

/** The parameters of a list: cursors and filters, each as it was given first. */
export const listParameters = async (query: Query): Promise<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(await query).map(([name, value]) => [name, first(value)]))

/** What a form has done, as the address of the page says it. */
export async function formResultOf(query: Query): Promise<{ done: string | null; failed: string | null }> {
  const { done, failed } = await query
  return { done: first(done), failed: first(failed) }
}

/** The beginning of the path of a storefront's pages. */
export const pathOf = ({ mode, storefrontId }: { mode: string; storefrontId: string }): string =>
  `/admin/${encodeURIComponent(mode)}/${encodeURIComponent(storefrontId)}`
