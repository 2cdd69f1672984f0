/** What the agent does: turns a question into an answer. Replace it with your own. */
export async function answer(question) {
  const words = question.split(/\s+/).filter(Boolean)
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? 'nothing'
  return `You said ${words.length} words. The longest is ${longest}.`
}
