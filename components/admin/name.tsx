/** A text that a person entered, shown in a table. The text may have any script, direction, and word length. */
export const Name = ({ children }: { children: string | null | undefined }) =>
  children && (
    <bdi
      className="inline-block w-max max-w-56 break-words align-top"
      title={children.length > 60 ? children : undefined}
    >
      {children}
    </bdi>
  )
