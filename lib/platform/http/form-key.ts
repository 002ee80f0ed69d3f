import { randomUUID } from 'node:crypto'

export const newFormKey = (): string => randomUUID()

export const isFormKey = (key: string | null): key is string => key !== null && /^[0-9a-f-]{36}$/.test(key)
