import { expect, test } from 'vitest'
import { servedApplication } from './served-application.ts'

test.each([
  ['uvicorn app.api:app --port 80', 'app.api', 'app'],
  ['uvicorn --factory app:create', 'app', 'create'],
  ['gunicorn app:create("test") -w 2', 'app', 'create'],
  ['gunicorn mysite.wsgi --bind 0.0.0.0:80', 'mysite.wsgi', 'application'],
  ['gunicorn -w 4 mysite.wsgi', 'mysite.wsgi', 'application'],
  ['gunicorn -k uvicorn.workers.UvicornWorker app:state.app', 'app', 'state'],
  ['uvicorn --header Via:slipway app:app', 'app', 'app'],
  ['uvicorn --loop winloop:new_event_loop app:app', 'app', 'app'],
  ['gunicorn -c python:conf app:app', 'app', 'app'],
  ['gunicorn --bind unix:app.sock app:app', 'app', 'app'],
  ['gunicorn -k workers:Worker app:app', 'app', 'app'],
  ['hypercorn --config python:conf app:app', 'app', 'app'],
  ['hypercorn -b unix:app.sock main:app', 'main', 'app'],
  ['hypercorn main', 'main', 'app'],
  ['granian --interface asgi main', 'main', 'app'],
  ['daphne -b 0.0.0.0 mysite.asgi:application', 'mysite.asgi', 'application'],
  ['waitress-serve --port=80 --call app:make', 'app', 'make'],
  ['flask --app app:create_app run', 'app', 'create_app'],
  ['flask --app=src/app.py:create_app("x") run', 'src.app', 'create_app'],
  ['flask -A app run --port 80', 'app', undefined],
  ['fastapi run main.py --app api', undefined, 'api'],
  ['fastapi run -e app.main:api', 'app.main', 'api'],
])('%s serves %s of %s', (command, module, object) => {
  const [server = '', ...args] = command.split(' ')
  expect(servedApplication(server, args)).toEqual({
    ...(module !== undefined && { module }),
    ...(object !== undefined && { object }),
  })
})

test.each([
  'uvicorn app --port 80',
  'gunicorn -c gunicorn.conf.py',
  'gunicorn -c python:conf',
  'gunicorn --bind 0.0.0.0:80 --log-level debug',
  'gunicorn --worker-class sync --preload',
  'flask run --port 80',
  'fastapi run main.py',
])('%s may serve anything', (command) => {
  const [server = '', ...args] = command.split(' ')
  expect(servedApplication(server, args)).toBeUndefined()
})
