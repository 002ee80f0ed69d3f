/** A moment in UTC, to the second; the pointer shows that it is in UTC. */
export const Moment = ({ at }: { at: string }) => {
  const text = at.slice(0, 19).replace('T', ' ')
  return (
    <time className="whitespace-nowrap" dateTime={at} title={`${text} UTC`}>
      {text}
    </time>
  )
}
