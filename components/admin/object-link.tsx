import { Id } from './id.tsx'

/** The id of an object, as a link to its page if it has one. Above the link that covers a row. */
export const ObjectLink = ({ entityId, objectUrl }: { entityId: string; objectUrl: string | null }) =>
  objectUrl ? (
    <a className="relative z-1 break-all" href={objectUrl}>
      {entityId}
    </a>
  ) : (
    <Id id={entityId} />
  )
