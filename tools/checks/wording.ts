import type { AuthoredFile } from './authored-files.ts'

interface Habit {
  readonly found: RegExp
  readonly instead: string
}

// CONTRIBUTING.md has the same list for humans. A habit belongs here only if it is nearly always
// wrong in this repository; the others are left to review.
const HABITS: readonly Habit[] = [
  habit(['nobody'], '"no one", or name what is refused'),
  habit(['told', 'tells'], '"says", "reports", "passes", "knows"'),
  habit(['whoever'], '"anyone who", or name them'),
  habit(['dear', 'dearer', 'dearest'], '"expensive"'),
  habit(['mend', 'mends', 'mended'], '"fix", "repair"'),
  habit(['anew'], '"again"'),
  habit(['shall'], '"must", "will"'),
  habit(['beside'], '"next to", "besides"'),
  habit(['of (?:its|their|our|his|her|your|my) own'], '"its own …" before the noun, "separate"'),
  habit(['of ours'], '"our …", or name it'),
  habit(['at hand'], '"available", "cached"'),
  habit(['taken for'], '"mistaken for", "treated as"'),
  habit(['what of'], '"the parts of … that"'),
  habit(['be it'], '"whether"'),
  habit(['(?:to|for|by|from|than) who'], '"callers that", "anyone who"'),
  habit(
    ['(?<!there )(?:is|are) (?:no|none)(?! (?:longer|more|fewer|less|better|different))'],
    '"is not a …"',
  ),
  habit(['so (?:many|long)(?! as)'], '"this number of", "at most `count`", "this time"'),
  habit(
    [
      '(?:each|some|none|both|most) of wh(?:ich|om)',
      '(?<=, )(?:\\w+ )?of wh(?:ich|om)',
      'of wh(?:ich|om) (?:an?|the|it|this|you|only|some|no|too)',
    ],
    'a sentence of its parts: "whose …", "… with …"',
  ),
  habit(
    ["(?<!far )as (?:the|its|an?)(?: [\\w']+){1,3} says?(?! otherwise)"],
    '"by …", "according to …"',
  ),
  { found: /(?<![\w'"`#])Of (?=[a-z])/gu, instead: 'a sentence that starts with its subject' },
]

/** Reports words that the project avoids, unless they are quoted as words (`'told'`). */
export function wording({ path, lines }: AuthoredFile): string[] {
  return lines.flatMap((line, index) =>
    HABITS.flatMap(({ found, instead }) =>
      [...line.matchAll(found)]
        .filter((match) => !isQuoted(line, match.index, match[0].length))
        .map((match) => `${path}:${index + 1}: "${match[0]}": write ${instead}`),
    ),
  )
}

/** `phrases` are regular expressions for whole words, in any case. */
function habit(phrases: readonly string[], instead: string): Habit {
  return { found: new RegExp(String.raw`\b(?:${phrases.join('|')})\b`, 'giu'), instead }
}

function isQuoted(line: string, start: number, length: number): boolean {
  const [before = '', after = ''] = [line[start - 1], line[start + length]]
  return /['"`]/.test(before) && before === after
}
