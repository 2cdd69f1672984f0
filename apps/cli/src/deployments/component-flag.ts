/** The option of commands for the pods of one component. */
export const componentFlag = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'name',
  brief: 'Only the pods of this component',
} as const
