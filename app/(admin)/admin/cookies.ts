import { headers } from 'next/headers'

/** The cookies of the request that a page answers. */
export const cookiesOf = async (): Promise<string | null> => (await headers()).get('cookie')

/** The parameters of a query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** A parameter as it was given first. */
export const first = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null
