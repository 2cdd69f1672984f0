import { expect, test } from 'vitest'

import { allCommands } from './all-commands.ts'
import { calledCommand } from './called-command.ts'

test('finds each command by its words', () => {
  const names = allCommands().map(({ name }) => name)
  expect(names).toContain('agents delete-build')
  expect(names.map((name) => calledCommand([...name.split(' '), '--jsno']).join(' '))).toEqual(
    names,
  )
})
