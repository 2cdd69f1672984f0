const DAY_S = 86_400

/**
 * Words for times on an axis, in the user's time zone: the time of day, and at midnight the day.
 * Times and the distance between them are in seconds.
 */
export function tickLabels(times: readonly number[], distance: number): string[] {
  return times.map((time) => {
    const date = new Date(time * 1000)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    if (distance >= DAY_S || isMidnight)
      return date.toLocaleDateString('en', { month: 'short', day: 'numeric' })
    return date.toLocaleTimeString('sv', { hour: '2-digit', minute: '2-digit' })
  })
}
