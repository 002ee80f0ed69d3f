import { Id } from './id.tsx'

/** The id of an object, as a link to its page if it has one. */
export const ObjectLink = ({ entityId, objectUrl }: { entityId: string; objectUrl: string | null }) =>
  objectUrl ? (
    <span className="break-all">
      <a href={objectUrl}>{entityId}</a>
    </span>
  ) : (
    <Id id={entityId} />
  )
