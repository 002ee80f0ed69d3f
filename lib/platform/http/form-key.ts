import { randomUUID } from 'node:crypto'

/** A key for one rendering of a form: the form takes effect once, even if the browser sends the form twice. */
export const newFormKey = (): string => randomUUID()

export const isFormKey = (key: string | null): key is string => key !== null && /^[0-9a-f-]{36}$/.test(key)
