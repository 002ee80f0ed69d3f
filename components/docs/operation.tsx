import { Fragment, type ReactNode } from 'react'
import { adminText as t } from '@/components/admin/text.ts'
import { FieldList, Prose, RefusedList, type ShapeLinks, TypeWords } from './fields.tsx'
import type { Answer, Operation } from './reference.ts'

export function OperationSection({ operation, links }: { operation: Operation; links: ShapeLinks }) {
  const { id, method, path, summary, text, parameters, body, answers, refused, curl } = operation
  return (
    <section aria-labelledby={id} className="mt-12 border-line border-t pt-8">
      <h2 className="font-semibold text-title" id={id}>
        {summary.replace(/\.$/, '')}
      </h2>
      <p className="mt-2">
        <code className="font-mono text-note">
          <strong>{method}</strong> <Path path={path} />
        </code>
      </p>
      {text && (
        <p className="mt-3 max-w-2xl">
          <Prose text={text} />
        </p>
      )}
      {parameters.length > 0 && (
        <Part heading={t('docs.parameters')}>
          <FieldList fields={parameters} links={links} />
        </Part>
      )}
      {body && (
        <Part heading={t(body.isRequired ? 'docs.body' : 'docs.optionalBody')}>
          <FieldList fields={body.fields} links={links} />
        </Part>
      )}
      <Part heading={t('docs.answer')}>
        {answers.map((answer) => (
          <AnswerText answer={answer} key={answer.status} links={links} />
        ))}
      </Part>
      {refused.length > 0 && (
        <Part heading={t('docs.refused')}>
          <RefusedList refused={refused} />
        </Part>
      )}
      <Part heading={t('docs.example')}>
        <Command text={curl} />
      </Part>
    </section>
  )
}

export const Path = ({ path }: { path: string }) =>
  path.split(/(?<=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one path keep their order
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <h3 className="mt-6 mb-2 font-semibold">{heading}</h3>
      {children}
    </>
  )
}

function AnswerText({
  answer: { status, shape, isList, fields, example },
  links,
}: {
  answer: Answer
  links: ShapeLinks
}) {
  return (
    <>
      <p>
        <span className="font-semibold text-note">{status}</span> {isList && t('docs.listOf')}{' '}
        {shape && <TypeWords links={links} shapes={[shape]} type={shape} />}
        {!shape && fields.length === 0 && t('docs.noBody')}
      </p>
      {fields.length > 0 && <FieldList fields={fields} links={links} />}
      {example && <Example summary={t('docs.answerExample')} text={example} />}
    </>
  )
}

export const Example = ({ summary, text }: { summary: string; text: string }) => (
  <details className="my-2">
    <summary className="min-h-7 cursor-pointer text-note text-soft">{summary}</summary>
    <Command text={text} />
  </details>
)

export function Command({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <pre className="overflow-x-auto rounded-box border border-line bg-paper p-4 font-mono text-note" tabIndex={0}>
      {text}
    </pre>
  )
}
