import en from '@/messages/admin/en.json'
import { type AdminKey, adminText as t } from './text.ts'

const known: Readonly<Record<string, Readonly<Record<string, string>>>> = en.work.jobs

/** The name of a background job in words. A job without a name, such as a job of an older version, is shown as its id. */
export function jobText(id: string): string {
  const [group = '', name = ''] = id.split('.')
  const isKnown = Object.hasOwn(known, group) && Object.hasOwn(known[group] ?? {}, name)
  return isKnown ? t(`work.jobs.${group}.${name}` as AdminKey) : id
}

/** The name of a background job in words. Below the name is the id, which the logs contain. */
export const JobName = ({ id }: { id: string }) => (
  <>
    <span className="block">{jobText(id)}</span>
    <code className="block wrap-anywhere font-normal text-soft">{id}</code>
  </>
)
