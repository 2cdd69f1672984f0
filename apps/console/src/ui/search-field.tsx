import { useEffect, useState } from 'react'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  /** Called a moment after the last key. */
  readonly onChange: (value: string) => void
}

const PAUSE_MS = 200

/** A field for words to search for. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // The address has changed, for example by the back button.
  if (value !== shown) {
    setShown(value)
    setText(value)
  }
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <input
      type="search"
      className="field"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
