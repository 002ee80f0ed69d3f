import { Id, NamedLink } from './id.tsx'
import { adminText as t } from './text.ts'

interface Props {
  entityId: string
  objectName: string | null
  objectUrl: string | null
}

export const ObjectLink = ({ entityId, objectName, objectUrl }: Props) => {
  if (objectUrl === null) return <Id id={entityId} />
  if (objectName)
    return <NamedLink href={objectUrl} kind={t('deliveries.entity')} of={{ id: entityId, name: objectName }} />
  return (
    <span className="break-all">
      <a href={objectUrl}>{entityId}</a>
    </span>
  )
}
