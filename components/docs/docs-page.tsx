import { adminText as t } from '@/components/admin/text.ts'
import { FieldList, Prose, RefusedList, type ShapeLinks } from './fields.tsx'
import { Command, Example, OperationSection, Path } from './operation.tsx'
import type { Noun, Reference, SentEvent, Shape } from './reference.ts'

const pathOf = (noun?: Noun): string => (noun ? `/docs/${noun.slug}` : '/docs/api')
const anchorOf = (name: string): string => `shape-${name}`

const linksOf = ({ nouns, shapes }: Reference): ShapeLinks => {
  const at = (path: string, all: readonly Shape[]) => all.map(({ name }) => [name, `${path}#${anchorOf(name)}`])
  return Object.fromEntries([...at(pathOf(), shapes), ...nouns.flatMap((noun) => at(pathOf(noun), noun.shapes))])
}

export function DocsOverview({ reference, baseUrl }: { reference: Reference; baseUrl: string }) {
  const { nouns, shapes, refused, text } = reference
  return (
    <>
      <h1 className="font-semibold text-title">{t('docs.heading')}</h1>
      <Paragraph text={text} />
      <Heading id="start" text={t('docs.start')} />
      <Paragraph text={t('docs.startText')} />
      <div className="mt-4">
        <Command text={`export BILLHOOK=${baseUrl} KEY=test_...\n\n${firstCall(nouns)}`} />
      </div>
      <Heading id="operations" text={t('docs.nouns')} />
      {nouns.map((noun) => (
        <section aria-labelledby={`of-${noun.slug}`} className="mt-4" key={noun.slug}>
          <h3 className="font-semibold" id={`of-${noun.slug}`}>
            <a href={pathOf(noun)}>{noun.name}</a>
          </h3>
          <OperationLinks noun={noun} />
        </section>
      ))}
      <Heading id="lists" text={t('docs.lists')} />
      <Paragraph text={t('docs.listsText')} />
      <Heading id="errors" text={t('docs.errors')} />
      <Paragraph text={t('docs.errorsText')} />
      <div className="mt-4">
        <RefusedList refused={refused.byAll} />
      </div>
      <h3 className="mt-6 mb-2 font-semibold">{t('docs.errorsOfChanges')}</h3>
      <RefusedList refused={refused.byChanges} />
      <Heading id="shapes" text={t('docs.shared')} />
      <Paragraph text={t('docs.sharedText')} />
      <Shapes links={linksOf(reference)} shapes={shapes} />
    </>
  )
}

const firstCall = (nouns: readonly Noun[]): string =>
  nouns.flatMap((noun) => noun.operations).find(({ id }) => id === 'listSubscriptionPlans')?.curl ?? ''

/** The operations of a resource, and the schemas that only this resource uses. */
export function NounPage({ reference, noun }: { reference: Reference; noun: Noun }) {
  const links = linksOf(reference)
  return (
    <>
      <h1 className="mb-4 font-semibold text-title">{noun.name}</h1>
      <OperationLinks noun={noun} />
      {noun.operations.map((operation) => (
        <OperationSection key={operation.id} links={links} operation={operation} />
      ))}
      <Shapes links={links} shapes={noun.shapes} />
    </>
  )
}

export const EventsPage = ({ events }: { events: readonly SentEvent[] }) => (
  <>
    <h1 className="font-semibold text-title">{t('docs.events')}</h1>
    <Paragraph text={t('docs.eventsText')} />
    {events.map(({ name, text, example }) => (
      <section aria-labelledby={name} className="mt-8 border-line border-t pt-6" key={name}>
        <h2 className="font-mono font-semibold" id={name}>
          {name}
        </h2>
        <Paragraph text={text} />
        <Example summary={t('docs.payload')} text={example} />
      </section>
    ))}
  </>
)

const OperationLinks = ({ noun }: { noun: Noun }) => (
  <ul>
    {noun.operations.map(({ id, method, path, summary }) => (
      <li className="py-1" key={id}>
        <a href={`${pathOf(noun)}#${id}`}>{summary.replace(/\.$/, '')}</a>{' '}
        <code className="block font-mono text-note text-soft hand:inline">
          {method} <Path path={path} />
        </code>
      </li>
    ))}
  </ul>
)

const Shapes = ({ shapes, links }: { shapes: readonly Shape[]; links: ShapeLinks }) =>
  shapes.map(({ name, fields }) => (
    <section aria-labelledby={anchorOf(name)} className="mt-12 border-line border-t pt-8" key={name}>
      <h2 className="mb-3 font-semibold text-title" id={anchorOf(name)}>
        {t('docs.shape', { name })}
      </h2>
      <FieldList fields={fields} links={links} />
    </section>
  ))

const Heading = ({ id, text }: { id: string; text: string }) => (
  <h2 className="mt-12 font-semibold text-title" id={id}>
    {text}
  </h2>
)

const Paragraph = ({ text }: { text: string }) => (
  <p className="mt-3 max-w-2xl">
    <Prose text={text} />
  </p>
)
