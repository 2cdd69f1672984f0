/** A command of the command line that does what the page is about. */
export function Command({ children }: { readonly children: string }) {
  return (
    <p className="command">
      <code>{children}</code>
    </p>
  )
}
