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

/** Returns a template in which each image is replaced. */
export function withImages(
  template: DeploymentTemplate,
  replace: (image: string) => string,
): DeploymentTemplate {
  const inSection = <Component extends { image: string }>(section: Record<string, Component>) =>
    Object.fromEntries(
      Object.entries(section).map(([name, component]) => [
        name,
        { ...component, image: replace(component.image) },
      ]),
    )
  return {
    ...template,
    agent: { ...template.agent, image: replace(template.agent.image) },
    models: inSection(template.models),
    knowledge: inSection(template.knowledge),
    tools: inSection(template.tools),
    ingestion: inSection(template.ingestion),
  }
}
