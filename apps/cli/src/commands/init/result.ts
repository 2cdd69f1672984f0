import { Type } from 'typebox'

export const schema = Type.Object({
  templates: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ description: 'Its name' }),
        description: Type.String({ description: 'What it is' }),
      }),
      { description: 'All templates, with --list' },
    ),
  ),
  name: Type.Optional(Type.String({ description: 'The name of the new agent' })),
  folder: Type.Optional(Type.String({ description: 'Its folder' })),
  template: Type.Optional(
    Type.String({ description: 'The template; absent for a project that was there before' }),
  ),
  files: Type.Optional(Type.Array(Type.String(), { description: 'The files that were written' })),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'For a project: what was found in it, and what to write to the spec',
    }),
  ),
  next: Type.Optional(
    Type.Array(Type.String(), { description: 'The commands to run next in the folder' }),
  ),
})
