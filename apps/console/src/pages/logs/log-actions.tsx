import { useState } from 'react'

import type { LogLine } from './log-line.ts'
import { lineCount, lineText } from './log-text.ts'

interface LogActionsProps {
  readonly agent: string
  readonly lines: readonly LogLine[]
}

/** Copies or downloads the lines that are shown. */
export function LogActions({ agent, lines }: LogActionsProps) {
  const [copied, setCopied] = useState('')
  const text = () => lines.map((line) => `${lineText(line)}\n`).join('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(`${lineCount(lines.length)} copied`)
    } catch {
      setCopied('Your browser does not allow to copy')
    }
  }
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={lines.length === 0}
        onClick={() => void copy()}
      >
        Copy
      </button>
      <button
        type="button"
        className="button small"
        disabled={lines.length === 0}
        onClick={() => download(`${agent}.log`, text())}
      >
        Download
      </button>
      <span className="faint" role="status">
        {copied}
      </span>
    </>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(url))
}
