/** A text that somebody typed, in a table: of any script and direction, and with words of any length. */
export const Name = ({ children }: { children: string | null | undefined }) =>
  children && (
    <bdi
      className="inline-block w-max max-w-56 break-words align-top"
      title={children.length > 60 ? children : undefined}
    >
      {children}
    </bdi>
  )
