import type { Schemas } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'

import { interfaceConfigQuery, type BuildPath } from '../../api/deploy-queries.ts'
import { visible } from '../../text/visible.ts'
import { WithCode } from '../../text/with-code.tsx'
import { Problem, reasonOf } from '../../ui/problem.tsx'
import { CredentialFields } from './credential-fields.tsx'
import type { DeployValues } from './deploy-values.ts'
import type { FieldProblems } from './field-problems.ts'
import { OtherOverrides } from './other-overrides.tsx'
import { PartSettings } from './part-settings.tsx'
import type { CredentialField, FormTemplate } from './read-template.ts'
import { InterfaceFields, ScheduleFields } from './schedule-fields.tsx'
import { shownFields } from './shown-fields.ts'

interface DeployFieldsProps {
  readonly described: BuildPath
  readonly template: FormTemplate
  readonly settings: Schemas['RevisionSettings'] | undefined
  readonly values: DeployValues
  readonly problems: FieldProblems
  /** Why the check or the deploy has failed; null if it hasn't. */
  readonly failure: unknown
  readonly onChange: (changed: Partial<DeployValues>) => void
}

const NONE = { credentials: [], interfaces: [], overrides: {}, schedules: {} }

/** All fields of a deploy, each with what is wrong with it. */
export function DeployFields(props: DeployFieldsProps) {
  const { described, template, values, problems, failure, onChange } = props
  const settings = props.settings ?? NONE
  const enabled = values.interfaces ?? settings.interfaces
  const { data: config } = useQuery(interfaceConfigQuery(described, enabled))
  const ofInterfaces = enabled.length === 0 ? undefined : config?.credentials
  const fields = useMemo(
    () => withConfig(template.credentials, ofInterfaces ?? []),
    [template.credentials, ofInterfaces],
  )
  const kept = useMemo(() => new Set(settings.credentials), [settings.credentials])
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problems.count > 0)
      frame.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problems])
  return (
    <div className="deploy-fields" ref={frame}>
      <Failure
        failure={failure}
        problems={problems}
        shown={shownFields({ fields, template, values })}
      />
      <CredentialFields
        fields={fields}
        kept={kept}
        values={values.credentials}
        problems={problems}
        onChange={(credentials) => onChange({ credentials })}
      />
      <ScheduleFields
        names={template.schedules}
        kept={settings.schedules}
        values={values.schedules}
        problems={problems}
        onChange={(schedules) => onChange({ schedules })}
      />
      <InterfaceFields
        adapters={template.adapters}
        enabled={enabled}
        problem={problems.of('interfaces')}
        onChange={(interfaces) => onChange({ interfaces })}
      />
      <PartSettings
        parts={template.parts}
        kept={settings.overrides}
        values={values.settings}
        problems={problems}
        onChange={(changed) => onChange({ settings: changed })}
      />
      <OtherOverrides
        editable={template.editable}
        kept={settings.overrides}
        ended={values.ended}
        values={values.others}
        problems={problems}
        onChange={(others) => onChange({ others })}
        onEnd={(ended) => onChange({ ended })}
      />
    </div>
  )
}

interface FailureProps {
  readonly failure: unknown
  readonly problems: FieldProblems
  readonly shown: ReadonlySet<string>
}

/** What is wrong with the whole, and with fields that the form doesn't show. */
function Failure({ failure, problems, shown }: FailureProps) {
  if (failure === null) return null
  if (problems.count === 0) return <Problem error={failure} what="It can't be deployed" />
  const others = problems.others(shown)
  return (
    <div className="problem" role="alert">
      <h2>Not ready to deploy</h2>
      <p>
        <WithCode text={reasonOf(failure)} />
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{visible(field)}</code> <WithCode text={message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function withConfig(
  known: readonly CredentialField[],
  config: readonly Schemas['CredentialKey'][],
): readonly CredentialField[] {
  const keys = new Set(known.map(({ key }) => key))
  const added = config
    .filter(({ key }) => !keys.has(key))
    .map(({ key, description, optional }) => ({
      key,
      description,
      isRequired: !optional,
      isSecret: true,
    }))
  return [...known, ...added]
}
