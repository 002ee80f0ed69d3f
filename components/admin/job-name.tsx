import { isAdminKey, adminText as t } from './text.ts'

/** The name of a background job in words. A job without a name, such as a job of an older version, is shown as its id. */
export function jobText(id: string): string {
  const key = `work.jobs.${id}`
  return isAdminKey(key) ? t(key) : id
}

/** The name of a background job in words. Below the name is the id, which the logs contain. */
export const JobName = ({ id }: { id: string }) => (
  <>
    <span className="block">{jobText(id)}</span>
    <code className="block wrap-anywhere font-normal text-soft">{id}</code>
  </>
)
