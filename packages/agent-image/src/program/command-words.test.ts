import { expect, test } from 'vitest'
import { commandWords } from './command-words.ts'

test.each(['$PORT', '${PORT}', '${PORT:-8000}'])('replaces %s by the port', (variable) => {
  const words = commandWords(`uvicorn app:app --port ${variable}`, 'agent.command', 8080)
  expect(words).toEqual(['uvicorn', 'app:app', '--port', '8080'])
})

test.each(['app:create_app()', "'app:create_app()'", '"app:create_app()"'])(
  'takes the factory %s',
  (factory) => {
    const words = commandWords(`gunicorn ${factory} --bind 0.0.0.0:$PORT`, 'web', 80)
    expect(words).toEqual(['gunicorn', 'app:create_app()', '--bind', '0.0.0.0:80'])
  },
)

test.each(["gunicorn 'app:create_app(1)'", 'a $(b:c())', "a 'b:c()", 'a b:c()&'])(
  'refuses %s',
  (command) => expect(() => commandWords(command, 'web', 80)).toThrow('needs a shell'),
)

test('names what needs a shell, and what to do', () => {
  for (const round of [1, 2])
    expect(() => commandWords('a --port $PORT', `web ${round}`, undefined)).toThrow('as agent.port')
  expect(() => commandWords('a $PORTS', 'web', 80)).toThrow('web needs a shell')
  expect(() => commandWords('a && b', 'agent.command', 80)).toThrow('without variables and quotes')
})
