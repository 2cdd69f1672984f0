import { expect, test } from 'vitest'
import { portIn } from './found-port.ts'

test.each([
  ['serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })', 3000],
  ["app.listen(process.env.PORT || '4000')", 4000],
  ['serve(app, port=int(os.environ.get("PORT", "8081")))', 8081],
  ["port = int(os.getenv('PORT') or 8082)", 8082],
  ['server.listen(9000, () => {})', 9000],
  ['await app.listen({ port: 3333, host: "0.0.0.0" })', 3333],
  ['const PORT = 5005', 5005],
  ['port: int = 7000', 7000],
  ['uvicorn.run("app.main:app", host="0.0.0.0", port=8000)', 8000],
  ['CMD uvicorn main:app --port 8001', 8001],
  ['const report = 1234', undefined],
  ['port = 99999', undefined],
  ['app.listen(process.env.PORT)', undefined],
])('%s', (text, port) => {
  expect(portIn(text)).toBe(port)
})
