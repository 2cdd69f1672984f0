export {
  parsedTree,
  parseSpec,
  parseTree,
  type ParsedSpec,
  type SpecTree,
} from './parse/parse-spec.ts'
export { SpecSyntaxError } from './spec-syntax-error.ts'
export { checkSpec, type SpecProblem } from './positions/check-spec.ts'
export { locateFields, type FieldPlace, type Position } from './positions/locate-fields.ts'
export { readSpec, specDescription, specTags } from './read/read-spec.ts'
export { specWarnings, type SpecWarning } from './warnings/spec-warnings.ts'
export { requiredCredentials, type Credential } from './required-credentials.ts'
export { buildTemplate, defaultImage, type TemplateInput } from './template/build-template.ts'
export {
  BuildTemplates,
  type BuildTemplate,
  type BuildTemplateInput,
} from './template/build-templates.ts'
export { TemplateTooLargeError } from './template/template-size.ts'
export { templateImages, withImages } from './template/template-images.ts'
export { templateToYaml } from './template/to-yaml.ts'
export { readTemplateSettings } from './template/read-settings.ts'
export {
  defaultTemplateSettings,
  type TemplateDefaults,
  type TemplateSettings,
} from './template/settings.ts'
export type {
  DeploymentTemplate,
  TemplateGpu,
  TemplateResources,
  TemplateSource,
  TemplateStorage,
  TemplateUpdate,
} from './template/template-types.ts'
export {
  fillTemplate,
  type DeployRequestValues,
  type FilledTemplate,
  type PreviousValues,
} from './deploy/fill-template.ts'
export { unknownCredentials } from './deploy/unknown-credentials.ts'
export { validateTemplate } from './deploy/validate-template.ts'
export { DEPLOY_LIMITS } from './deploy/limits.ts'
export { resolvedComponents } from './deploy/resolve-components.ts'
export { VariablesTooLargeError } from './deploy/resolved-size.ts'
export { storesWithPassword } from './deploy/resolve-values.ts'
export { TELEMETRY_HEADERS_VARIABLE, type TelemetrySettings } from './deploy/platform-variables.ts'
export type {
  ComponentCheck,
  ComponentEnvironment,
  ComponentProbe,
  ComponentRef,
  ComponentStorage,
  ComponentUser,
  ResolvedComponent,
  ResolveOptions,
} from './deploy/component-types.ts'
export {
  defaultProviders,
  type CloudProvider,
  type Provider,
  type ProviderTable,
  type SelfHostedProvider,
} from './providers.ts'
export { withProviderOverrides } from './provider-overrides.ts'
export { hintFor } from './names/closest-name.ts'
export { isEnvName, sanitizeEnvName } from './names/environment-name.ts'
export {
  boundedName,
  componentName,
  labelValue,
  NAME_LIMITS,
  namespaceName,
  objectName,
  type ComponentKind,
} from './names/object-name.ts'
export { cronProblem, nextCronTime } from './grammar/cron.ts'
export {
  imageHost,
  imageProblem,
  isImageDigest,
  parseImage,
  pinnedImage,
  unpinnedImage,
  type ImageReference,
} from './grammar/image.ts'
export {
  isLocalRegistry,
  isRealmOf,
  parseRegistryRealms,
  registryApi,
  registryName,
  type RegistryRealms,
} from './grammar/registry.ts'
export { parseQuantity } from './grammar/quantity.ts'
export { interfaceAdapters } from './interfaces.ts'
export type { AgentSpec, ComponentSection, TriggerType } from './spec-types.ts'
export { compareCodePoints, isObject, own, type JsonObject, type JsonValue } from './json.ts'
