import { isAdminKey, adminText as t } from './text.ts'

/**
 * Returns the readable name of a background job. A job without a name, such as a job of an older version, is shown as
 * its id.
 */
export function jobText(id: string): string {
  const key = `work.jobs.${id}`
  return isAdminKey(key) ? t(key) : id
}

/** Shows the readable name of a background job. Below the name is the id of the job, which the logs contain. */
export const JobName = ({ id }: { id: string }) => (
  <>
    <span className="block">{jobText(id)}</span>
    <code className="block wrap-anywhere font-normal text-soft">{id}</code>
  </>
)
