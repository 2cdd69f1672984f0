/** The case that a program runs. */
interface Case {
  readonly name: string
  readonly mode: string
  readonly system: string
  /** The user's questions. */
  readonly turns: readonly string[]
  readonly stream?: boolean
  readonly sessionId?: string
  readonly userId?: string
}

/** The case to run. */
export const given = JSON.parse(process.env['RECORDED_CASE'] ?? '') as Case

/** Whether the agent has the tool for the weather. */
export const usesWeather = given.name.includes('tool')

/** The model that programs ask. */
export const MODEL = 'gpt-4.1-mini'

const WEATHER: Readonly<Record<string, string>> = {
  Paris: '21 degrees, sunny',
  Oslo: '-3 degrees, snow',
}

/** Returns the weather in a city. */
export function getWeather(city: string): string {
  const weather = WEATHER[city]
  if (weather === undefined) throw new Error(`no weather station on ${city}`)
  return weather
}

/** Calls `answer` with each question. A run that fails must not end the program. */
export async function runTurns(answer: (question: string) => Promise<unknown>): Promise<void> {
  for (const question of given.turns) {
    try {
      await answer(question)
    } catch (error) {
      process.stderr.write(`failed: ${String(error)}\n`)
    }
  }
}
