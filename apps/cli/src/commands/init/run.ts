import { basename, relative, resolve } from 'node:path'

import type { Static } from 'typebox'

import { choose } from '../../command/ask.ts'
import type { Cli } from '../../command/cli.ts'
import type { Implementation } from '../../command/implementation.ts'
import { enterCommand } from '../../command/quoted.ts'
import { usageError } from '../../errors/cli-error.ts'
import { hint, lines, table } from '../../output/blocks.ts'
import { copyTemplate } from '../../project/copy-template.ts'
import { managerUsedIn, withCommandsOf } from '../../project/package-manager.ts'
import { templates, type Template } from '../../project/templates.ts'
import { writeNewSpec } from '../../project/write-new-spec.ts'
import type { schema } from './result.ts'

export interface InitFlags {
  readonly name?: string
  readonly list: boolean
}

/** Names that are also valid in Kubernetes and in registries. */
const AGENT_NAME = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

export type InitResult = Static<typeof schema>

export const init: Implementation<InitFlags, [template?: string, folder?: string], InitResult> = {
  async run(cli, flags, wanted, given = '.') {
    const all = await templates()
    if (flags.list)
      return { templates: all.map(({ name, description }) => ({ name, description })) }
    const folder = resolve(given)
    if (wanted === undefined) {
      const written = await writeNewSpec(folder, () => nameOf(folder, flags))
      if (written !== undefined) return written
    }
    const template = await chosen(cli, all, wanted)
    const name = nameOf(folder, flags)
    const manager = managerUsedIn(folder, cli.env)
    const files = await copyTemplate(template, folder, name, manager)
    const place = relative(process.cwd(), folder)
    const enter = place === '' ? [] : [enterCommand(place)]
    const install = template.next.map((each) => withCommandsOf(manager, each))
    const next = [...enter, ...install, 'slipway push', `slipway deploy ${name}`]
    return { name, folder, template: template.name, files, next }
  },

  view: ({ templates: all, name, folder = '', files = [], notes = [], next = [] }) =>
    all === undefined
      ? [
          lines(
            `started ${name} in ${folder}`,
            ...files.map((file) => `  ${file}`),
            ...notes.map((note) => `note: ${note}`),
          ),
          hint(`next: ${next.join('\n      ')}`),
        ]
      : [
          table({
            columns: [{ title: 'TEMPLATE' }, { title: 'DESCRIPTION', shrinkTo: 20 }],
            rows: all.map((each) => [each.name, each.description]),
            empty: 'no templates',
          }),
        ],
}

function nameOf(folder: string, flags: InitFlags): string {
  const name = flags.name ?? basename(folder).toLowerCase()
  if (AGENT_NAME.test(name)) return name
  throw usageError(
    `"${name}" can't be the name of an agent`,
    `use --name ${proposed(name)}: lower-case letters, digits and hyphens`,
  )
}

/** A name that resembles another text, or an example. */
function proposed(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-$/g, '')
  return AGENT_NAME.test(plain) ? plain : 'my-agent'
}

async function chosen(
  cli: Cli,
  all: readonly Template[],
  wanted: string | undefined,
): Promise<Template> {
  const names = all.map(({ name }) => name).join(', ')
  if (wanted === undefined && !cli.isInteractive)
    throw usageError('no template is chosen', `slipway init TEMPLATE; the templates are ${names}`)
  const name =
    wanted ??
    (await choose(
      cli,
      'Which agent do you want to start with?',
      all.map((each) => ({ value: each.name, label: `${each.name}: ${each.description}` })),
    ))
  const template = all.find((each) => each.name === name)
  if (template === undefined)
    throw usageError(`there is no template "${name}"`, `the templates are ${names}`)
  return template
}
