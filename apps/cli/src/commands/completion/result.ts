import { Type } from 'typebox'

export const schema = Type.Object({
  shell: Type.String({ description: 'The shell' }),
  script: Type.String({ description: 'The script' }),
})
