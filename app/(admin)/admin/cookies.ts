import { headers } from 'next/headers'
import { isStorableText } from '@/lib/kernel/text.ts'

/** The cookies of the current request. */
export const cookiesOf = async (): Promise<string | null> => (await headers()).get('cookie')

/** The parameters of a query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** The first value of a parameter. Null for values that PostgreSQL cannot search for, such as NUL. */
export function first(value: string | string[] | undefined): string | null {
  const [text] = Array.isArray(value) ? value : [value]
  return text !== undefined && isStorableText(text, { multiline: true }) ? text : null
}

/** The parameters of a list: the first value of each cursor and filter. */
export const listParameters = async (query: Query): Promise<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(await query).map(([name, value]) => [name, first(value)]))

/** The result of a form, from the address of the page. */
export async function formResultOf(query: Query): Promise<{ done: string | null; failed: string | null }> {
  const { done, failed } = await query
  return { done: first(done), failed: first(failed) }
}

/** The start of the path of a storefront's pages. */
export const pathOf = ({ mode, storefrontId }: { mode: string; storefrontId: string }): string =>
  `/admin/${encodeURIComponent(mode)}/${encodeURIComponent(storefrontId)}`
