import { parseArgs } from 'node:util'

import { measureProject } from './images/measure.ts'
import { benchProjects } from './images/projects.ts'
import { setImageStage } from './images/stage.ts'

// `./dev bench images` builds projects with `slipway build`, and with buildah from a usual
// Dockerfile of the same project on the same base, in turn. It prints one JSON line per project and
// case: the median times of both, and how many times faster Slipway is. Both need the registries.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})

const say = (line: string): void => console.error(`  ${line}`)

await using stage = await setImageStage(say)
for (const each of benchProjects) {
  if (!values.only.split(',').some((part) => each.project.name.includes(part))) continue
  say(`building ${each.project.name}`)
  for (const figure of await measureProject(stage, each, Number(values.rounds)))
    console.log(JSON.stringify(figure))
}
