import { isStorableText } from '../kernel/text.ts'
import { parseTypedDay } from '../kernel/typed-day.ts'
import type { FilterChip } from '../modules/webhooks/page.ts'
import type { ListParameters } from './list.ts'

const mostOfId = 100

const dayIn = (text: string | null | undefined) => (text && parseTypedDay(text) ? text : null)

/** The format of an object id is not checked, because the list for a malformed id is simply empty. */
const objectIn = (text: string | null | undefined) => {
  const id = (text ?? '').trim().slice(0, mostOfId)
  return id !== '' && isStorableText(id) ? id : null
}

/** The filters of the lists of events and deliveries. An invalid value is ignored. */
export const eventFilter = (parameters: ListParameters, eventNames: readonly string[]) => ({
  event: eventNames.find((name) => name === parameters.event) ?? null,
  object: objectIn(parameters.object),
  from: dayIn(parameters.from),
  to: dayIn(parameters.to),
})

/** Converts days in UTC to a database filter. The last day is included. */
export const daysOf = ({ from, to }: { from: string | null; to: string | null }) => ({
  createdAfter: parseTypedDay(from)?.start,
  createdBefore: parseTypedDay(to)?.end,
})

export type Filters = Readonly<Record<string, string | null>>

export function urlWith(list: string, filters: Filters): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return set.length === 0 ? list : `${list}?${new URLSearchParams(set)}`
}

/** One chip per active filter, with the URL of the list without that filter. */
export const chipsOf = <Name extends string>(
  list: string,
  filters: Readonly<Record<Name, string | null>>,
  shown: readonly Name[],
  texts: Partial<Record<Name, string>> = {},
): FilterChip<Name>[] =>
  shown.flatMap((name) => {
    const value = texts[name] ?? filters[name]
    return filters[name] ? [{ name, value: value ?? '', url: urlWith(list, { ...filters, [name]: null }) }] : []
  })
