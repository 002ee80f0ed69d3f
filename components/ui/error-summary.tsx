/** Lists the fields with problems at the top of a refused form. Takes the focus without JavaScript, by `autofocus` or by the fragment `#problems`. */
export function ErrorSummary({
  heading,
  problems,
}: {
  heading: string
  problems: { field: string; listed: string }[]
}) {
  return (
    <section
      // biome-ignore lint/a11y/noAutofocus: the reader has just sent the form and must learn why it was refused
      autoFocus
      aria-labelledby="problems-heading"
      className="rounded-box border border-wrong bg-wrong-tint p-4"
      id="problems"
      tabIndex={-1}
    >
      <h2 className="font-semibold" id="problems-heading">
        {heading}
      </h2>
      <ul className="mt-1">
        {problems.map(({ field, listed }) => (
          <li key={field}>
            <a className="inline-block py-1 text-wrong underline underline-offset-2" href={`#${field}`}>
              {listed}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
