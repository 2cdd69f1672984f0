import { sortedEntries } from '../json.ts'
import type { DeploymentTemplate } from './template-types.ts'

const SECTIONS = ['models', 'knowledge', 'tools', 'ingestion'] as const

/** An image of a template. */
interface TemplateImage {
  /** Its path in the template, e.g. `tools.api.image`. */
  readonly path: string
  readonly image: string
  /** Whether the spec names it, or it is the build's; otherwise it is the operator's. */
  readonly isOwn: boolean
}

/** Returns the images of a template in a stable order. */
export function templateImages(template: DeploymentTemplate): TemplateImage[] {
  return [
    { path: 'agent.image', image: template.agent.image, isOwn: true },
    ...SECTIONS.flatMap((section) =>
      sortedEntries<{ image: string }>(template[section]).map(([name, component]) => ({
        path: `${section}.${name}.image`,
        image: component.image,
        isOwn: !('provider' in component),
      })),
    ),
  ]
}

/** Returns a template in which each image is replaced; `path` is its path in the template. */
export function withImages(
  template: DeploymentTemplate,
  replace: (image: string, path: string) => string,
): DeploymentTemplate {
  const inSection = <Component extends { image: string }>(
    section: (typeof SECTIONS)[number],
    components: Record<string, Component>,
  ) =>
    Object.fromEntries(
      Object.entries(components).map(([name, component]) => [
        name,
        { ...component, image: replace(component.image, `${section}.${name}.image`) },
      ]),
    )
  return {
    ...template,
    agent: { ...template.agent, image: replace(template.agent.image, 'agent.image') },
    models: inSection('models', template.models),
    knowledge: inSection('knowledge', template.knowledge),
    tools: inSection('tools', template.tools),
    ingestion: inSection('ingestion', template.ingestion),
  }
}
