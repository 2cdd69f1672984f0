export { assertNoLeaks } from './leaks.ts'
export { testDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.ts'
export { testNats, type TestNats } from './test-nats.ts'
export { waitFor, type WaitForOptions } from './wait-for.ts'
