/** A time in UTC with seconds. The tooltip says that it is UTC. */
export const Moment = ({ at }: { at: string }) => {
  const text = at.slice(0, 19).replace('T', ' ')
  return (
    <time className="whitespace-nowrap" dateTime={at} title={`${text} UTC`}>
      {text}
    </time>
  )
}
