/** A moment in UTC, to the second. */
export const Moment = ({ at }: { at: string }) => (
  <time className="whitespace-nowrap" dateTime={at}>
    {at.slice(0, 19).replace('T', ' ')}
  </time>
)
