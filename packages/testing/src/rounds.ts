/**
 * Returns how many times a test with random input repeats its work: property tests, fuzzing, races.
 * The gate uses the number unchanged. `./dev test --long` sets SLIPWAY_TEST_EFFORT, which
 * multiplies it.
 */
export function rounds(inTheGate: number): number {
  const effort = Number(process.env['SLIPWAY_TEST_EFFORT'] ?? 1)
  if (!(effort >= 1)) throw new Error('SLIPWAY_TEST_EFFORT must be a number, 1 or more')
  return Math.round(inTheGate * effort)
}
