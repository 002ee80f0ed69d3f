import { Fragment } from 'react'

/** A text of up to this many characters fits into every column. */
const fits = 20

/** A long name without spaces, such as an event name or an email address. A narrow column breaks it before `@`, and after a dot or an underscore. */
export const Breakable = ({ children }: { children: string }) =>
  children.length <= fits
    ? children
    : children.split(/(?=@)|(?<=[._])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))
