import type { Schemas } from '@slipway/client'
import { useState } from 'react'

import { visible } from '../../text/visible.ts'

type Span = Schemas['Span']

/** What a span got and returned: as a chat, as text, or all of it as JSON. */
export function SpanDetails({ span }: { readonly span: Span }) {
  const [isRaw, setRaw] = useState(false)
  const { children: _, ...own } = span
  return (
    <section className="span-details" aria-label="The chosen span">
      <header className="title-row">
        <h3>
          <bdi>{visible(span.tool_name ?? span.name)}</bdi>
        </h3>
        <button
          type="button"
          className="button small"
          aria-pressed={isRaw}
          onClick={() => setRaw(!isRaw)}
        >
          JSON
        </button>
      </header>
      {isRaw ? (
        <pre tabIndex={0} aria-label="The span as JSON">
          {visible(JSON.stringify(own, undefined, 2))}
        </pre>
      ) : (
        <>
          {span.status_message !== undefined && (
            <p className="bad">{visible(span.status_message)}</p>
          )}
          {span.model !== undefined && (
            <p className="faint">
              <bdi>{visible(span.model)}</bdi>
            </p>
          )}
          <Part title="Input" messages={span.input_messages} text={span.input} />
          <Part title="Output" messages={span.output_messages} text={span.output} />
        </>
      )}
    </section>
  )
}

interface PartProps {
  readonly title: string
  readonly messages: readonly Schemas['Message'][]
  readonly text: string
}

function Part({ title, messages, text }: PartProps) {
  if (messages.length === 0 && text === '') return null
  return (
    <>
      <h4>{title}</h4>
      {messages.length === 0 ? (
        <pre tabIndex={0} aria-label={title}>
          {visible(text)}
        </pre>
      ) : (
        <ol className="chat">
          {messages.map((message, index) => (
            // Messages have no ids, and never change.
            // oxlint-disable-next-line react/no-array-index-key
            <ChatMessage key={index} message={message} />
          ))}
        </ol>
      )}
    </>
  )
}

function ChatMessage({ message }: { readonly message: Schemas['Message'] }) {
  const { role, text, tool_calls: calls = [], tool_results: results = [], truncated } = message
  return (
    <li className={`message ${role}`}>
      <span className="role">{role}</span>
      {text !== '' && <p>{visible(text)}</p>}
      {calls.map(({ name, arguments: values }) => (
        <pre key={`${name} ${values}`}>{visible(`${name}(${values})`)}</pre>
      ))}
      {results.map(({ text: result }) => (
        <pre key={result}>{visible(result)}</pre>
      ))}
      {truncated === true && <p className="faint">The rest of this message was not stored.</p>}
    </li>
  )
}
